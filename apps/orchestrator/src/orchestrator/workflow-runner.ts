import {
  askForWorkflow,
  readWorkflowResult,
  type AgentRequest,
  type RunnableAgent,
  type WorkflowRunner,
  type WorkflowRunnerFor,
} from "@troupe/core";

/** Lets an agent of this process start workflows, as requests to the orchestrator's own agent. */
export function workflowRunner(
  orchestrator: Promise<RunnableAgent>,
  newId: () => string,
  { caller, trace, userId = caller?.id }: Parameters<WorkflowRunnerFor>[0],
): WorkflowRunner {
  return {
    async run(asked, { signal }) {
      const agent = await orchestrator;
      const request: AgentRequest = {
        ...askForWorkflow(asked, userId),
        runId: newId(),
        history: [],
        ...(caller === undefined ? {} : { scopes: caller.scopes }),
        ...(trace === undefined ? {} : { trace }),
      };
      const result = await readWorkflowResult(agent.profile.name, agent.run(request, { signal }));
      if (result.outcome === "input-required") await agent.cancel?.(request.runId);
      return result;
    },
  };
}
