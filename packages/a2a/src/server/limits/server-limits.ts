import { InputError } from "@troupe/core";

/**
 * What a server takes of one caller, and of one message. A caller is a user where somebody was
 * authenticated, and otherwise the address it connects from; each has its own count, so that nobody
 * can use up what is another's.
 */
export interface ServerLimits {
  /** Of a request's body, in bytes. */
  readonly bodyBytes: number;
  /** Of a message. */
  readonly parts: number;
  /** Of one part, in bytes: text as UTF-8, a file as it is (not its base64), data as JSON. */
  readonly partBytes: number;
  /** Streams open at a time, and calls that wait for their task. */
  readonly streamsPerUser: number;
  /** Tasks that are worked on at a time. */
  readonly tasksPerUser: number;
  /** Tasks that wait for an answer of somebody; each is kept whole until it comes. */
  readonly waitingPerUser: number;
  /** Calls a minute; as many may come at once after a minute of none. */
  readonly requestsPerMinute: number;
}

const PER_MESSAGE = { bodyBytes: 4 * 1024 * 1024, parts: 100, partBytes: 3 * 1024 * 1024 };

/**
 * Where callers are told apart. A person with an orchestrator that runs every step of its plans at
 * once stays far below; somebody who means harm is stopped long before others notice.
 */
const KNOWN: ServerLimits = {
  ...PER_MESSAGE,
  streamsPerUser: 200,
  tasksPerUser: 200,
  waitingPerUser: 1_000,
  requestsPerMinute: 1_200,
};

/**
 * Where nobody is authenticated a server listens on loopback only, so all callers are one: whoever
 * works at this machine, and programs of theirs. It is kept from running full, and calls are not
 * counted: there is nobody else whose share they could take.
 */
const ANYBODY: ServerLimits = {
  ...PER_MESSAGE,
  streamsPerUser: 2_000,
  tasksPerUser: 2_000,
  waitingPerUser: 10_000,
  requestsPerMinute: Number.POSITIVE_INFINITY,
};

const NAMES = Object.keys(KNOWN) as readonly (keyof ServerLimits)[];

/** Some of them; what is not said holds as by default. */
export type GivenLimits = { readonly [Name in keyof ServerLimits]?: number | undefined };

/** Throws an `InputError` that names the limit that is no whole number above 0, or that there is none of. */
export function serverLimits(
  given: GivenLimits | undefined,
  { authenticated }: { readonly authenticated: boolean },
): ServerLimits {
  const limits: { -readonly [Name in keyof ServerLimits]: number } = { ...(authenticated ? KNOWN : ANYBODY) };
  const unknown = Object.keys(given ?? {}).filter((name) => !NAMES.some((known) => known === name));
  if (unknown.length > 0)
    throw new InputError(
      "input.invalid",
      `There is no limit ${unknown.map((name) => JSON.stringify(name)).join(", ")}; known are ${NAMES.join(", ")}.`,
    );
  for (const name of NAMES) {
    const value = given?.[name];
    if (value === undefined) continue;
    if (value !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(value) && value > 0))
      throw new InputError(
        "input.invalid",
        `The limit ${name} is ${String(value)}; give a whole number above 0.`,
      );
    limits[name] = value;
  }
  return limits;
}
