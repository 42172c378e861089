import { JsonFieldReader, type AgentEventBody, type Usage } from "@troupe/stream";

import type { ModelEvent, ModelToolCall, StopReason } from "../ports/model.ts";
import { FINISH_TOOL } from "../tools/tool-registry.ts";
import { TextItem } from "./text-item.ts";

/** What one model stream amounted to. Text items are still open where their role is not known. */
export interface Round {
  readonly stop: StopReason;
  /** Plain text, outside any call. */
  readonly text: string;
  /** Every item the round began, the finish call's content among them. */
  readonly items: readonly TextItem[];
  /** In the order in which the model wrote them. */
  readonly calls: readonly ModelToolCall[];
  /** Where the first finish call stands among `calls`, -1 when there is none. */
  readonly finishAt: number;
  /** The finish call's content as it was streamed. */
  readonly content: TextItem | undefined;
}

export interface RoundPorts {
  emit(body: AgentEventBody): void;
  /** The next id of a text item in this run. */
  nextItemId(): string;
  /** The id the run knows a call by: the provider's, made unique. */
  callId(provided: string): string;
  usageReported(usage: Usage): void;
}

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
  readonly #calls: CallDraft[] = [];
  readonly #items: TextItem[] = [];
  readonly #plain: TextItem[] = [];
  #open: TextItem | undefined;
  #finishAt = -1;
  #content: TextItem | undefined;
  #field: JsonFieldReader | undefined;
  #stop: StopReason | undefined;

  constructor(ports: RoundPorts) {
    this.#ports = ports;
  }

  push(event: ModelEvent): void {
    switch (event.type) {
      case "text-delta":
        this.#open ??= this.#plainItem();
        this.#open.write(event.text);
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
        this.#ports.usageReported(event.usage);
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
    this.#content?.write(this.#field?.end() ?? "");
    return {
      stop: this.#stop,
      text: this.#plain.map((item) => item.text).join(""),
      items: this.#items,
      calls: this.#calls.map(({ callId, name, parts }) => ({ callId, name, arguments: parts.join("") })),
      finishAt: this.#finishAt,
      content: this.#content,
    };
  }

  /** The stream broke: every item is closed, and those that can be seen are named. */
  abandon(): readonly TextItem[] {
    this.#content?.write(this.#field?.end() ?? "");
    for (const item of this.#items) item.settle("narration");
    return this.#items.filter((item) => item.begun);
  }

  #plainItem(): TextItem {
    const item = this.#item("open");
    this.#plain.push(item);
    return item;
  }

  #item(role: "open" | "answer"): TextItem {
    const item = new TextItem(this.#ports.nextItemId(), role, (body) => this.#ports.emit(body));
    this.#items.push(item);
    return item;
  }

  #startCall(provided: string, name: string): void {
    // A call follows, so the text before it was narration.
    this.#open?.settle("narration");
    this.#open = undefined;
    if (name === FINISH_TOOL && this.#finishAt === -1) {
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
}
