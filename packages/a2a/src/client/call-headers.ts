import type { AgentCard } from "@a2a-js/sdk";
import type { Caller } from "@troupe/core";

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

/** A card asks who calls when each of its alternatives names a scheme. */
export function authenticates({ securityRequirements: ways }: AgentCard): boolean {
  return ways.length > 0 && ways.every(({ schemes }) => Object.keys(schemes).length > 0);
}
