import { addUsage, NO_USAGE, type AgentEvent, type InputRequest, type Usage } from "@troupe/stream";

import { AgentError } from "../errors/agent-error.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { WorkflowRequest, WorkflowResult } from "../ports/workflow-runner.ts";
import { collectResult } from "./collect-result.ts";

type Asked = Pick<AgentRequest, "text" | "userId" | "collectionId"> &
  Required<Pick<AgentRequest, "metadata" | "delegation">>;

/** What the agent of an orchestrator is asked, so that it runs a workflow for this person. */
export function askForWorkflow(
  { workflow, task, collectionId, depth, limits = {} }: WorkflowRequest,
  userId: string | undefined,
): Asked {
  const whose = {
    ...(userId === undefined ? {} : { userId }),
    ...(collectionId === undefined ? {} : { collectionId }),
  };
  return {
    text: task,
    metadata: { workflow },
    ...whose,
    delegation: {
      v: 1,
      objective: task,
      instruction: task,
      expectedOutput: "",
      allowedTools: [],
      limits,
      ...whose,
      depth,
      results: {},
    },
  };
}

/** Reads the events of that agent to their end. Throws an `AgentError` when there is no result. */
export async function readWorkflowResult(
  agent: string,
  events: AsyncIterable<AgentEvent>,
): Promise<WorkflowResult> {
  const collected = collectResult(agent);
  const used = new Map<string, Usage>();
  let asked: InputRequest | undefined;
  for await (const event of events) {
    collected.add(event);
    if (event.type === "input-required") asked = event.request;
    if (event.type === "usage")
      used.set(event.model, addUsage(used.get(event.model) ?? NO_USAGE, event.usage));
  }
  const result = collected.result();
  if (result === undefined) throw new AgentError("agent.protocol", "The workflow ended without a result.");
  return {
    ...result,
    ...(asked === undefined ? {} : { request: asked }),
    usage: [...used].map(([model, usage]) => ({ model, usage })),
  };
}
