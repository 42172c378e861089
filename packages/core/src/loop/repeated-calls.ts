import type { Json } from "@troupe/stream";

import type { ModelMessage } from "../ports/model.ts";

/** Most runs of the same read-only call while its result is in the conversation. */
const MAX_RUNS = 2;
/** Equal failures in a row before the model is warned. */
const MAX_FAILURES = 3;
/** Calls with more characters of arguments never count as equal. */
const MAX_KEY = 20_000;

interface Made {
  /** Rounds in which it was run and did not fail, with the call id that the result has. */
  readonly runs: { readonly round: number; readonly callId: string; text?: string }[];
  failure: string;
  failures: number;
}

/** The calls of a run by tool and arguments, with their outcomes. */
export class RepeatedCalls {
  readonly #made = new Map<string, Made>();

  /** Counts a call of a read-only tool that is about to run. */
  begin(key: string | undefined, round: number, callId: string): void {
    if (key !== undefined) this.#of(key).runs.push({ round, callId });
  }

  /** The reply to a repeated call; undefined if the call may run. */
  refusal(key: string | undefined, sent: readonly ModelMessage[]): string | undefined {
    const runs = key === undefined ? [] : (this.#made.get(key)?.runs ?? []);
    const last = runs.at(-1);
    if (runs.length < MAX_RUNS || last === undefined || isShortened(last, sent)) return undefined;
    return `You have this result already (round ${last.round}): use it, or search for something else.`;
  }

  /** A call of a read-only tool succeeded. */
  succeeded(key: string | undefined, callId: string, text: string): void {
    const made = key === undefined ? undefined : this.#made.get(key);
    if (made === undefined) return;
    made.failures = 0;
    const run = made.runs.find((one) => one.callId === callId);
    if (run !== undefined) run.text = text;
  }

  /** Another call succeeded and may have changed data, so earlier results may be stale. */
  changed(): void {
    if (this.#made.size > 0) this.#made.clear();
  }

  /** Warning to append to a repeated failure; empty for the first ones. */
  failed(key: string | undefined, callId: string, text: string): string {
    if (key === undefined) return "";
    const made = this.#of(key);
    const at = made.runs.findIndex((one) => one.callId === callId);
    if (at !== -1) made.runs.splice(at, 1);
    made.failures = made.failure === text ? made.failures + 1 : 1;
    made.failure = text;
    if (made.failures < MAX_FAILURES) return "";
    return `\n\nThis call has failed the same way ${made.failures} times: change its arguments, or do something else.`;
  }

  #of(key: string): Made {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made: Made = { runs: [], failure: "", failures: 0 };
    this.#made.set(key, made);
    return made;
  }
}

/** Key for comparing calls: the tool and its arguments, with properties in any order. */
export function callKey(tool: string, args: Json): string | undefined {
  const json = JSON.stringify(args, (_, value: Json) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return json.length > MAX_KEY ? undefined : `${tool} ${json}`;
}

/** Middleware replaced the result by a note in the messages last sent to the model. */
function isShortened({ callId, text }: Made["runs"][number], sent: readonly ModelMessage[]): boolean {
  if (text === undefined) return false;
  const result = sent
    .flatMap((message) => (message.role === "tool" ? message.results : []))
    .find((one) => one.callId === callId);
  return result !== undefined && result.text !== text;
}
