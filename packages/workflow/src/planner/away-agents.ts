import { AgentError, agentScope, type AgentEntry } from "@troupe/core";

import { WorkflowError } from "../engine/workflow-error.ts";

/** An agent that a task may be for and no plan can have. */
export interface AwayAgent extends AgentEntry {
  readonly status: "down";
  readonly forbidden?: true;
}

/** Those that are down, and those that whoever asks may not use, whether they are down or not. */
export function awayOf(team: {
  readonly agents: readonly AgentEntry[];
  readonly forbidden?: readonly AgentEntry[];
}): readonly AwayAgent[] {
  const down = team.agents.flatMap((agent): readonly AwayAgent[] => {
    const { status } = agent;
    return status === "down" ? [{ ...agent, status }] : [];
  });
  const forbidden = (team.forbidden ?? []).map((agent): AwayAgent => ({
    ...agent,
    status: "down",
    reason: `it takes the scope "${agentScope(agent.name)}"`,
    forbidden: true,
  }));
  return [...down, ...forbidden];
}

/** The task is for this one. */
export function lacking(agent: AwayAgent): AgentError {
  return agent.forbidden === true
    ? new AgentError(
        "agent.forbidden",
        `The task is for ${agent.name}, which whoever asks may not use: ${agent.reason ?? ""}.`,
      )
    : notReached(`The task is for an agent that cannot do it now: ${states([agent])}.`);
}

/** No agent is there that a plan could have. */
export function nobody(away: readonly AwayAgent[]): AgentError | WorkflowError {
  if (away.length === 0)
    return new WorkflowError("workflow.no-agent", "No agent is registered; register one first.");
  const down = away.filter(({ forbidden }) => forbidden !== true);
  if (down.length > 0) return notReached(`No agent can do this now: ${states(down)}.`);
  const names = away.map(({ name }) => name).join(", ");
  return new AgentError(
    "agent.forbidden",
    `Whoever asks may use none of the agents: ${names}. Each takes the scope agent:NAME.`,
  );
}

const notReached = (message: string): AgentError =>
  new AgentError("agent.unreachable", message, { retryable: true });

/** What they have in common, such as a key that is not accepted, is said once. */
function states(down: readonly AgentEntry[]): string {
  const byReason = Map.groupBy(down, ({ reason = "" }) => reason);
  return [...byReason]
    .map(([reason, agents]) => {
      const names = agents.map(({ name }) => name).join(", ");
      return `${names} ${agents.length === 1 ? "is" : "are"} down${reason === "" ? "" : ` (${reason})`}`;
    })
    .join("; ");
}
