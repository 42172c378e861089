import type { AgentEvent } from "@troupe/stream";

/** Whether it is the run's own end, and not that of a step. */
export const endsRun = ({ type, stepId }: AgentEvent): boolean => type === "finish" && stepId === undefined;
