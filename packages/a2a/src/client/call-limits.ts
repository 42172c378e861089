import { InputError } from "@troupe/core";

/** Bounds of the calls to one agent. Times are in milliseconds. */
export interface CallLimits {
  /** Until a card, a question about a task, a listing or a cancellation is answered. 10,000 by default. */
  readonly answerMs?: number;
  /**
   * Until a message is taken, or a stream brings its first event. 30,000 by default; 300,000 for an
   * agent that is none of ours, as it may do all of its work before it says a word.
   */
  readonly firstEventMs?: number;
  /** Silence on a stream that has begun, heartbeats counted as sound. 45,000 by default. */
  readonly idleMs?: number;
  /** From the call to its end, the wait for a place included. None by default. */
  readonly totalMs?: number;
  /** How long an agent that has taken a task may be away before the task is given up. 3,000 by default. */
  readonly awayMs?: number;
  /** Longest wait that is granted to an agent that asks for one (`Retry-After`). 30,000 by default. */
  readonly waitMs?: number;
  /**
   * Attempts after the first, as long as nothing has come of it. 1 by default, so that an agent in
   * trouble is never asked more than twice as often as it would be.
   */
  readonly retries?: number;
  /**
   * Bytes of an answer that is no stream, unpacked; one that is larger is `agent.protocol`. 33,554,432
   * (32 MiB) by default. Of what an agent says with an error, 1 MiB is read at most.
   */
  readonly answerBytes?: number;
  /** Calls at the same time; a stream is one for as long as it is read. 1,024 by default. */
  readonly maxConcurrent?: number;
  /** Calls that wait for a place; one more is refused as `agent.busy`. 1,024 by default. */
  readonly maxWaiting?: number;
  /** Failures in a row after which the agent is left alone. 5 by default. */
  readonly failures?: number;
  /** How long it is left alone at first; twice as long with every trial that fails, up to 10,000. 500 by default. */
  readonly restMs?: number;
}

export type ResolvedLimits = Required<Omit<CallLimits, "totalMs">> & Pick<CallLimits, "totalMs">;

/** Until a question is answered, and a card where nobody says otherwise. */
export const ANSWER_MS = 10_000;
/** A task with all that it has made, several times over. */
const ANSWER_BYTES = 32 * 1024 * 1024;
/** Three heartbeats of our servers. */
const IDLE_MS = 45_000;

/** What each may be: a wait may be none, a deadline must leave time. */
const KINDS: Readonly<Record<keyof CallLimits, "deadline" | "wait" | "count" | "count above 0">> = {
  answerMs: "deadline",
  firstEventMs: "deadline",
  idleMs: "deadline",
  totalMs: "deadline",
  awayMs: "wait",
  waitMs: "wait",
  retries: "count",
  answerBytes: "count above 0",
  maxConcurrent: "count above 0",
  maxWaiting: "count",
  failures: "count above 0",
  restMs: "wait",
};
const IN_WORDS = {
  deadline: "a number of milliseconds above 0",
  wait: "a number of milliseconds, 0 or more",
  count: "a whole number, 0 or more",
  "count above 0": "a whole number above 0",
} as const;

/** Infinity is no limit. Throws an `InputError` that names each limit there is none of, or that is out of range. */
export function resolveLimits(limits: CallLimits, agent: { readonly ours: boolean }): ResolvedLimits {
  const given = Object.entries<unknown>({ ...limits }).filter(([, value]) => value !== undefined);
  const issues = given.flatMap(([name, value]) => problemOf(name, value) ?? []);
  if (issues.length > 0)
    throw new InputError("input.invalid", `Limits that cannot be used: ${issues.join(" ")}`, { issues });
  return {
    answerMs: ANSWER_MS,
    firstEventMs: agent.ours ? 30_000 : 300_000,
    idleMs: IDLE_MS,
    awayMs: 3_000,
    waitMs: 30_000,
    retries: 1,
    answerBytes: ANSWER_BYTES,
    maxConcurrent: 1_024,
    maxWaiting: 1_024,
    failures: 5,
    restMs: 500,
    ...Object.fromEntries(given),
  };
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!isLimit(name))
    return `There is no limit ${JSON.stringify(name)}; known are ${Object.keys(KINDS).join(", ")}.`;
  const kind = KINDS[name];
  const least = kind === "wait" || kind === "count" ? 0 : Number.MIN_VALUE;
  const whole = kind === "wait" || kind === "deadline" || value === Infinity || Number.isSafeInteger(value);
  if (typeof value === "number" && value >= least && whole) return undefined;
  return `${name} is ${typeof value === "string" ? JSON.stringify(value) : String(value)}; give ${IN_WORDS[kind]}.`;
}

function isLimit(name: string): name is keyof CallLimits {
  return Object.hasOwn(KINDS, name);
}
