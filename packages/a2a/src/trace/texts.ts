import type { SeenArtifact, SeenMessage, SeenState } from "../capture/read-event.ts";
import { flaggedRole, ownText, type TextRole } from "./role.ts";
import { TimedText } from "./timed-text.ts";

/** A stretch of text with one role. An artifact whose flags change has several. */
export interface TextItem {
  readonly text: TimedText;
  readonly artifactId: string;
  /** Step of a workflow, of our own agents. */
  readonly step: string;
  /** Of which a finish may name one as the answer; none where an attempt was superseded. */
  names: readonly string[];
  /** What is known of it by now. */
  role: TextRole;
}

/** Gathers what an agent says, and when each piece of it came. */
export class Texts {
  readonly #items = new Map<string, TextItem>();
  /** The whole of an artifact, over all its roles. */
  readonly #wholes = new Map<string, string>();
  /** Indexes, as an agent may send any number of artifacts. */
  readonly #ofArtifact = new Map<string, TextItem[]>();
  readonly #named = new Map<string, TextItem[]>();
  #answerItems: ReadonlySet<string> | undefined;
  #answerStep = "";
  readonly result = new TimedText();
  /** The answer of an agent that opens no task. */
  readonly message = new TimedText();
  /** What was said by way of states. */
  readonly status = new TimedText();
  #lastStatus: SeenMessage | undefined;

  get items(): readonly TextItem[] {
    return [...this.#items.values()];
  }

  /** The texts of an artifact, one for each role it had. */
  itemsOf(artifactId: string): readonly TextItem[] {
    return this.#ofArtifact.get(artifactId) ?? [];
  }

  /** The role a text has for the run, as far as it is known. */
  roleOf(item: TextItem): TextRole {
    const { names, step, role } = item;
    if (this.#answerItems !== undefined && names.length > 0)
      return names.some((name) => this.#answerItems?.has(name)) ? "answer" : "narration";
    if (step !== "" && step !== this.#answerStep) return "narration";
    return role;
  }

  /** Names what the answer is, as a finish of our own does. */
  settle(answerItems: readonly string[]): void {
    this.#answerItems = new Set(answerItems);
  }

  /** The step whose answer is that of the run; empty where it is written from all of them. */
  passThrough(step: string): void {
    this.#answerStep = step;
  }

  artifact(t: number, artifact: SeenArtifact, append: boolean): void {
    const { artifactId, metadata, text } = artifact;
    const own = ownText(metadata);
    const role = own?.role ?? flaggedRole(metadata);
    const key = own === undefined ? JSON.stringify([artifactId, role]) : artifactId;
    const before = this.#wholes.get(artifactId) ?? "";
    const whole = append ? before + text : text;
    this.#wholes.set(artifactId, whole);
    const item = this.#items.get(key) ?? {
      text: new TimedText(),
      artifactId,
      step: own?.step ?? "",
      names: own?.names ?? [],
      role,
    };
    if (own !== undefined) {
      if (!this.#items.has(key)) this.#supersede(own.names);
      item.role = role;
    }
    // A comparison of all that was said so far for each piece of it would take ever longer.
    const added = append ? text : whole.startsWith(before) ? whole.slice(before.length) : undefined;
    if (added !== undefined) {
      if (added === "" && own === undefined) return;
      item.text.append(t, added);
    } else {
      for (const other of this.itemsOf(artifactId)) other.text.clear();
      item.text.append(t, whole);
    }
    if (!this.#items.has(key)) this.#add(key, item);
  }

  #add(key: string, item: TextItem): void {
    this.#items.set(key, item);
    pushTo(this.#ofArtifact, item.artifactId, item);
    for (const name of item.names) pushTo(this.#named, name, item);
  }

  /** The text of an attempt before goes by the same name as that of the next. */
  #supersede(names: readonly string[]): void {
    for (const name of names) {
      for (const item of this.#named.get(name) ?? []) {
        item.names = [];
        item.role = "narration";
      }
      this.#named.delete(name);
    }
  }

  /** Only what is said on the way and at a good end: a question or an error is no answer. */
  said(t: number, message: SeenMessage, state: SeenState): void {
    const ended = state === "completed";
    if (!ended && state !== "submitted" && state !== "working") return;
    const last = this.#lastStatus;
    this.#lastStatus = message;
    const same = last !== undefined && last.messageId === message.messageId && message.messageId !== "";
    if (same && last.text === message.text) return;
    const sofar = this.status.text;
    const { text } = message;
    // Some say all of it again each time, some only what is new, and some all of it at the end.
    if (sofar !== "" && text.startsWith(sofar)) this.status.replace(t, text);
    else if (!(ended && text !== "" && sofar.trim().endsWith(text.trim()))) this.status.append(t, text);
  }
}

function pushTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
