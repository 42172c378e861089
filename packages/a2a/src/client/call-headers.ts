import type { AgentCard } from "@a2a-js/sdk";
import { InputError, type Caller } from "@troupe/core";

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

/** Throws an `InputError` for what gives no headers: otherwise it would be found at a call, and the agent blamed. */
export function callHeaders(given: GivenHeaders = {}): CallHeaders {
  if (typeof given === "function") return given;
  if (typeof given !== "object" || given === null || Symbol.iterator in given)
    throw new InputError(
      "input.invalid",
      `headers has to be an object of names and values, such as { "x-api-key": "…" }, or a function that gives one.`,
    );
  const wrong = Object.entries<unknown>(given).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined)
    // Not what it is: it may be a secret.
    throw new InputError(
      "input.invalid",
      `The header "${wrong[0]}" has a ${typeof wrong[1]} for its value; give text.`,
    );
  const headers = { ...given };
  return () => headers;
}

/** A card asks who calls when each of its alternatives names a scheme. */
export function authenticates({ securityRequirements: ways }: AgentCard): boolean {
  return ways.length > 0 && ways.every(({ schemes }) => Object.keys(schemes).length > 0);
}
