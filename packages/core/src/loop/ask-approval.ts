import type { AdmittedCall } from "./admit-calls.ts";
import type { Ending } from "./ending.ts";

/** The run waits for a person to decide about these calls, as they would run. */
export function askApproval(waiting: readonly AdmittedCall[]): Ending {
  const calls = waiting.map(({ call, args }) => ({ callId: call.callId, tool: call.name, arguments: args }));
  return { outcome: "input-required", ask: { kind: "approval", calls } };
}
