import { createHash } from "node:crypto";

import { InputError, type ModelRequest, type StopReason } from "@troupe/core";
import type { Usage } from "@troupe/stream";

/** One answer of a model, as a line of a recording. */
export interface RecordedTurn {
  readonly v: 1;
  /** Name of the process that asked, such as `rag-agent`. */
  readonly agent: string;
  /** Name of the response format, empty for none. */
  readonly format: string;
  /** Answers before it in the same conversation. */
  readonly round: number;
  /** The end of the last message of a person or the loop, to tell parallel conversations apart. */
  readonly asked: string;
  /**
   * Ids in the system text and in the messages since the previous answer, except tool results, by first appearance.
   * Absent in older recordings.
   */
  readonly ids?: readonly string[];
  /** What the tools returned since the answer before, in order. */
  readonly results: readonly RecordedResult[];
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly stop: StopReason;
  readonly model: string;
  readonly usage?: Usage;
}

/** A tool result without its text: a digest to compare it with a later one, and the ids that later calls may name. */
export interface RecordedResult {
  readonly tool: string;
  readonly digest: string;
  readonly ids: readonly string[];
}

const MAX_ASKED = 400;

/** Ids that a store or server made: 8 hex digits or more, at least one of them a digit, as in `result-3ab66529bd2d`. */
const ID = /(?:\p{L}{2,20}-)?(?=[0-9a-f-]*\d)[0-9a-f]{8}(?:[0-9a-f-]{0,56}[0-9a-f])?(?![\p{L}\p{N}])/gu;
/** Times of day and addresses differ between two runs of the same thing. */
const VOLATILE = /\d{4}-\d\d-\d\dT[\d:.]+Z?|127\.0\.0\.1:\d+/g;

export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(ID) ?? [])];
}

/** The parts of a request that are recorded, and by which it is recognised. */
export function describeRequest(
  request: ModelRequest,
): Pick<RecordedTurn, "format" | "round" | "asked" | "ids" | "results"> {
  const { system, messages, responseFormat } = request;
  const last = messages.findLast((message) => message.role === "user")?.text ?? "";
  const answered = messages.findLastIndex((message) => message.role === "assistant");
  const fresh = messages.slice(answered + 1);
  const texts = fresh.flatMap((message) => (message.role === "tool" ? [] : [message.text]));
  return {
    format: responseFormat?.name ?? "",
    round: messages.filter(({ role }) => role === "assistant").length,
    asked: last.slice(-MAX_ASKED),
    ids: idsIn([system, ...texts].join("\n")),
    results: fresh.flatMap((message) =>
      message.role === "tool"
        ? message.results.map(({ name, text }) => ({
            tool: name,
            digest: digestOf(text),
            ids: idsIn(text),
          }))
        : [],
    ),
  };
}

/** Equal for texts that differ only in ids, times and ports. */
function digestOf(text: string): string {
  const stable = text.replace(VOLATILE, "#").replace(ID, "#");
  return createHash("sha256").update(stable).digest("hex").slice(0, 16);
}

/** @throws InputError `input.invalid` for a line that is no turn of version 1 */
export function parseRecording(text: string, file: string): readonly RecordedTurn[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const turn = parseLine(line);
    if (turn !== undefined) return [turn];
    throw new InputError(
      "input.invalid",
      `${file}, line ${index + 1} is no recorded answer of version 1. Record it again with TROUPE_RECORD.`,
    );
  });
}

function parseLine(line: string): RecordedTurn | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const turn = value as Partial<RecordedTurn> | null;
  const isTurn =
    turn?.v === 1 &&
    typeof turn.agent === "string" &&
    typeof turn.text === "string" &&
    typeof turn.round === "number" &&
    Array.isArray(turn.calls) &&
    Array.isArray(turn.results);
  return isTurn ? (turn as RecordedTurn) : undefined;
}
