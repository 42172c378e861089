import {
  AgentError,
  collectResult,
  type AgentRequest,
  type RunnableAgent,
  type WorkflowRunner,
  type WorkflowRunnerFor,
} from "@troupe/core";
import { addUsage, NO_USAGE, type InputRequest, type Usage } from "@troupe/stream";

/** Lets an agent of this process start workflows, as requests to the orchestrator's own agent. */
export function workflowRunner(
  orchestrator: Promise<RunnableAgent>,
  newId: () => string,
  { caller, trace, userId = caller?.id }: Parameters<WorkflowRunnerFor>[0],
): WorkflowRunner {
  return {
    async run({ workflow, task, collectionId, depth, limits = {} }, { signal }) {
      const agent = await orchestrator;
      const whose = {
        ...(userId === undefined ? {} : { userId }),
        ...(collectionId === undefined ? {} : { collectionId }),
      };
      const request: AgentRequest = {
        runId: newId(),
        text: task,
        history: [],
        metadata: { workflow },
        ...whose,
        ...(caller === undefined ? {} : { scopes: caller.scopes }),
        ...(trace === undefined ? {} : { trace }),
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
      const collected = collectResult(agent.profile.name);
      const used = new Map<string, Usage>();
      let asked: InputRequest | undefined;
      for await (const event of agent.run(request, { signal })) {
        collected.add(event);
        if (event.type === "input-required") asked = event.request;
        if (event.type === "usage")
          used.set(event.model, addUsage(used.get(event.model) ?? NO_USAGE, event.usage));
      }
      const result = collected.result();
      if (result === undefined)
        throw new AgentError("agent.protocol", "The workflow ended without a result.");
      if (result.outcome === "input-required") await agent.cancel?.(request.runId);
      return {
        ...result,
        ...(asked === undefined ? {} : { request: asked }),
        usage: [...used].map(([model, usage]) => ({ model, usage })),
      };
    },
  };
}
