import type { AgentCard } from "@a2a-js/sdk";
import { InputError, isHeaderName, isHeaderValue, isTroupeError, type Caller } from "@troupe/core";

/** A call that is about to leave, as those see it who give it its headers. */
export interface OutgoingCall {
  /** The address the agent was connected to by, not what its card says of itself. */
  readonly url: string;
  /** Its name, by its card. Absent while the card is fetched. */
  readonly agent?: string;
  /** Its card says that it asks who calls. Never while the card is fetched. */
  readonly authenticates: boolean;
  /** In whose name it is made, where somebody was authenticated. */
  readonly caller?: Caller;
}

/** Headers for a call, such as traceparent or Authorization, asked anew each time. */
export type CallHeaders = (
  call: OutgoingCall,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

/** The same for every call, or asked for each. */
export type GivenHeaders = CallHeaders | Readonly<Record<string, string>>;

/**
 * Throws an `InputError` for what gives no headers: otherwise it would be found at a call, and the agent
 * blamed. What a function gives is only seen as it gives it, and refused then.
 */
export function callHeaders(given: GivenHeaders = {}): CallHeaders {
  if (typeof given === "function") return async (call) => checked(await givenBy(given, call));
  const headers = checked(given);
  return () => headers;
}

async function givenBy(ask: CallHeaders, call: OutgoingCall): Promise<unknown> {
  try {
    return await ask(call);
  } catch (error) {
    if (isTroupeError(error)) throw error;
    // Its words may hold what it was about to give.
    throw new InputError(
      "input.invalid",
      `The function that was handed in for the headers failed for ${call.agent ?? "the card of an agent"}, so nothing was sent.`,
      { cause: error },
    );
  }
}

function checked(given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== "object" || given === null || Symbol.iterator in given)
    throw new InputError(
      "input.invalid",
      `headers has to be an object of names and values, such as { "x-api-key": "…" }, or a function that gives one.`,
    );
  return Object.fromEntries(
    Object.entries<unknown>({ ...given }).map(([name, value]) => [name, sendable(name, value)]),
  );
}

/** The value is never quoted: it may be a secret. */
function sendable(name: string, value: unknown): string {
  if (!isHeaderName(name)) throw new InputError("input.invalid", `"${name}" cannot be the name of a header.`);
  if (typeof value !== "string")
    throw new InputError(
      "input.invalid",
      `The header "${name}" has a ${typeof value} for its value; give text.`,
    );
  if (!isHeaderValue(value))
    throw new InputError(
      "input.invalid",
      `The value of the header "${name}" cannot be sent: it holds a line break or another character that no header can.`,
    );
  return value;
}

/** A card asks who calls when each of its alternatives names a scheme. */
export function authenticates({ securityRequirements: ways }: AgentCard): boolean {
  return ways.length > 0 && ways.every(({ schemes }) => Object.keys(schemes).length > 0);
}
