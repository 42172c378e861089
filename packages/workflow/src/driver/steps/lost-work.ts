/** How often a step is sent again because its agent lost it. */
export const MAX_LOSSES = 3;

/** The agent was killed, restarted or shut down while it worked: what it did is gone. */
const LOSSES: ReadonlySet<string> = new Set(["agent.task-lost", "agent.restarted", "agent.shutting-down"]);
export const isLoss = ({ code }: { readonly code: string }): boolean => LOSSES.has(code);

/** Nobody was there to take a message, for as long as the gateway bears with it. */
const ABSENCES: ReadonlySet<string> = new Set(["agent.unreachable", "agent.unknown"]);
export const isAbsence = ({ code }: { readonly code: string }): boolean => ABSENCES.has(code);
