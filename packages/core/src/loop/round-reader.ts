import { JsonFieldReader, MarkerGate, type AgentEventBody, type GatePart, type Usage } from "@troupe/stream";

import type { ModelEvent, ModelToolCall, StopReason } from "../ports/model.ts";
import { responseIn } from "../response/response-in-text.ts";
import type { Said } from "../response/said.ts";
import { FINISH_TOOL } from "../tools/tool-registry.ts";
import { CallHold, ResponseHold } from "./response-hold.ts";
import type { TextItem } from "./text-item.ts";

/** What one model stream amounted to. Text items are still open where their role is not known. */
export interface Round {
  readonly stop: StopReason;
  /** What the model wrote outside any call; empty where it is blank. */
  readonly text: string;
  /** The response that a round without calls has as JSON in its text. Behind the marker its content is in an answer item. */
  readonly response: Said | undefined;
  /** Every item the round began, the finish call's content among them. */
  readonly items: readonly TextItem[];
  /** In the order in which the model wrote them. */
  readonly calls: readonly ModelToolCall[];
  /** Where the first finish call stands among `calls`, -1 when there is none. */
  readonly finishAt: number;
  /** The content of the finish call, or of the structured response, as it was streamed. */
  readonly content: TextItem | undefined;
  /** Shows what was held back because it may be a call that is written as text. */
  readonly release: () => void;
  /** The items behind the marker. */
  readonly answers: readonly TextItem[];
}

export interface RoundPorts {
  emit(body: AgentEventBody): void;
  /** A new item of this run. */
  textItem(role: "open" | "answer"): TextItem;
  /** The id the run knows a call by: the provider's, made unique. */
  callId(provided: string): string;
  usageReported(usage: Usage, model?: string): void;
}

/**
 * What the text and the calls of a round are: with `finish`, a call of it brings the answer; with
 * `marker`, text behind the marker is the answer, and the gate goes on where the round before left
 * it; `plain` text is what it is; of a `response`, the text is JSON with the answer in `content`.
 */
export type Reading =
  | { readonly as: "finish" | "plain" | "response" }
  | { readonly as: "marker"; readonly gate: MarkerGate };

interface CallDraft {
  readonly provided: string;
  readonly callId: string;
  readonly name: string;
  readonly parts: string[];
}

/**
 * Turns the events of one model stream into live text items and collected calls. Synchronous: the
 * loop pushes, what is to be seen is emitted at once.
 */
export class RoundReader {
  readonly #ports: RoundPorts;
  readonly #as: Reading["as"];
  readonly #gate: MarkerGate | undefined;
  readonly #calls: CallDraft[] = [];
  readonly #items: TextItem[] = [];
  readonly #answers: TextItem[] = [];
  /** The text as it came. */
  readonly #raw: string[] = [];
  readonly #callHold: CallHold;
  readonly #hold = new ResponseHold();
  /** The item that text is held back from. */
  #holder: TextItem | undefined;
  #open: TextItem | undefined;
  #answer: TextItem | undefined;
  #finishAt = -1;
  #content: TextItem | undefined;
  #field: JsonFieldReader | undefined;
  #stop: StopReason | undefined;

  /** @param tools - names of the tools that the model is offered */
  constructor(ports: RoundPorts, reading: Reading, tools: readonly string[]) {
    this.#ports = ports;
    this.#callHold = new CallHold(tools);
    this.#as = reading.as;
    // A copy: when the stream breaks, the round is read again from where it began.
    this.#gate = reading.as === "marker" ? new MarkerGate(reading.gate.state) : undefined;
    if (reading.as !== "response") return;
    this.#field = new JsonFieldReader("content");
    this.#content = this.#item("answer");
  }

  /** Where the gate stands after this round. */
  get gate(): MarkerGate | undefined {
    return this.#gate;
  }

  push(event: ModelEvent): void {
    switch (event.type) {
      case "text-delta":
        this.#text(event.text);
        return;
      case "tool-call-delta":
        this.#argument(event.callId, event.delta);
        return;
      case "tool-call-start":
        this.#startCall(event.callId, event.name);
        return;
      case "tool-call-end":
        return;
      case "usage":
        this.#ports.usageReported(event.usage, event.model);
        return;
      case "stop":
        this.#stop = event.reason;
        return;
      default:
        event satisfies never;
    }
  }

  /** Undefined while the stream has not said that it stopped. */
  result(): Round | undefined {
    if (this.#stop === undefined) return undefined;
    // A marker that was begun before a call may go on in the next round.
    if (this.#gate !== undefined) {
      this.#route(this.#calls.length > 0 ? this.#gate.boundary() : this.#gate.end());
    }
    this.#flush();
    const response = this.#calls.length > 0 ? undefined : this.#response();
    if (response === undefined) {
      if (this.#calls.length > 0) this.#release();
      else this.#releaseResponse();
    }
    const text = this.#raw.join("").toWellFormed();
    return {
      stop: this.#stop,
      text: text.trim() === "" ? "" : text,
      response,
      items: this.#items,
      calls: this.#calls.map(({ callId, name, parts }) => ({ callId, name, arguments: parts.join("") })),
      finishAt: this.#finishAt,
      content: this.#content,
      release: () => this.#release(),
      answers: this.#answers,
    };
  }

  /** The response in the text: its JSON is left out, and what was held back around it is text. */
  #response(): Said | undefined {
    const holder = this.#holder;
    if (holder === undefined) return undefined;
    const found = responseIn(holder.text, this.#hold.held + this.#callHold.held);
    if (found === undefined) return undefined;
    this.#hold.release();
    this.#callHold.release();
    // Text behind the marker is the answer, so it has to begin with the content where nothing else was written.
    const content = holder === this.#answer && !holder.begun ? found.said.content : "";
    holder.write(content + found.rest);
    holder.flush();
    return found.said;
  }

  /** The stream broke: the items that can be seen, still open, and those behind the marker. */
  abandon(): { readonly items: readonly TextItem[]; readonly answers: readonly TextItem[] } {
    if (this.#gate !== undefined) this.#route(this.#gate.end());
    this.#release();
    this.#flush();
    return { items: this.#items.filter((item) => item.begun), answers: this.#answers };
  }

  #text(piece: string): void {
    this.#raw.push(piece);
    if (this.#gate !== undefined) this.#route(this.#gate.push(piece));
    else if (this.#as === "response") this.#content?.write(this.#field?.push(piece) ?? "");
    else this.#write(this.#plainItem(), piece);
  }

  #route(parts: readonly GatePart[]): void {
    for (const { role, text } of parts) {
      this.#write(role === "open" ? this.#plainItem() : this.#answerItem(), text);
    }
    if (this.#gate?.opened === true) this.#closeOpen();
  }

  #write(item: TextItem, text: string): void {
    if (this.#holder !== item) this.#release();
    this.#holder = item;
    item.write(this.#hold.push(this.#callHold.push(text)));
  }

  /** Writes the text that was held back. */
  #release(): void {
    this.#releaseResponse();
    this.#holder?.write(this.#callHold.release());
    this.#holder?.flush();
    this.#holder = undefined;
  }

  #releaseResponse(): void {
    this.#holder?.write(this.#hold.release());
    this.#holder?.flush();
  }

  #plainItem(): TextItem {
    if (this.#open !== undefined) return this.#open;
    this.#open = this.#item("open");
    return this.#open;
  }

  #answerItem(): TextItem {
    this.#closeOpen();
    if (this.#answer !== undefined) return this.#answer;
    this.#answer = this.#item("answer");
    this.#answers.push(this.#answer);
    return this.#answer;
  }

  #item(role: "open" | "answer"): TextItem {
    const item = this.#ports.textItem(role);
    this.#items.push(item);
    return item;
  }

  /** A call or the marker follows, so the text before it was narration. */
  #closeOpen(): void {
    if (this.#open === undefined) return;
    if (this.#holder === this.#open) this.#release();
    this.#open.settle("narration");
    this.#open = undefined;
  }

  #startCall(provided: string, name: string): void {
    if (this.#gate !== undefined) this.#route(this.#gate.boundary());
    this.#closeOpen();
    if (this.#holder === this.#answer) this.#release();
    this.#answer?.settle("answer");
    this.#answer = undefined;
    if (this.#as === "finish" && name === FINISH_TOOL && this.#finishAt === -1) {
      this.#finishAt = this.#calls.length;
      this.#field = new JsonFieldReader("content");
      this.#content = this.#item(this.#calls.length === 0 ? "answer" : "open");
    }
    this.#calls.push({ provided, callId: this.#ports.callId(provided), name, parts: [] });
  }

  #argument(provided: string, delta: string): void {
    // The last one with that id: some servers give every call of a round the same.
    const index = this.#calls.findLastIndex((call) => call.provided === provided);
    const call = this.#calls[index];
    if (call === undefined) return;
    call.parts.push(delta);
    if (index === this.#finishAt && this.#field !== undefined) {
      this.#content?.write(this.#field.push(delta));
    }
  }

  #flush(): void {
    this.#content?.write(this.#field?.end() ?? "");
    for (const item of this.#items) item.flush();
  }
}
