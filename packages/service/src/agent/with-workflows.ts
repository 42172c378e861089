import { connectAgent, type ConnectOptions } from "@troupe/a2a/client";
import {
  askForWorkflow,
  readWorkflowResult,
  type AgentRequest,
  type Log,
  type RunnableAgent,
  type WorkflowRunner,
} from "@troupe/core";

type Options = Pick<ConnectOptions, "fetch" | "clock" | "newId"> & { readonly log: Log };

/**
 * Lets an agent start workflows at the orchestrator of this address. Not for callers who were authenticated: what
 * they show to the agent is good for the agent alone, so it has no rights to show to the orchestrator.
 */
export function withWorkflows<T extends RunnableAgent>(agent: T, url: string, options: Options): T {
  return {
    ...agent,
    run: (request: AgentRequest, given: Parameters<RunnableAgent["run"]>[1]) =>
      agent.run(
        request,
        request.scopes === undefined ? { ...given, workflows: runnerAt(url, request, options) } : given,
      ),
  };
}

function runnerAt(url: string, { userId, trace }: AgentRequest, options: Options): WorkflowRunner {
  const by = trace === undefined ? {} : { trace };
  return {
    async run(asked, { signal }) {
      const orchestrator = await connectAgent(url, { ...options, signal });
      const named = Promise.withResolvers<string | undefined>();
      const left = new AbortController();
      const cancel = async (): Promise<void> => {
        try {
          // Sending is not cut short: a task whose name is not known could not be canceled.
          const taskId = await named.promise;
          if (taskId !== undefined) await orchestrator.cancel(taskId, by);
        } catch (error) {
          options.log.warn("a workflow was not canceled", { url, error });
          left.abort(signal.reason);
        }
      };
      const onAbort = (): void => void cancel();
      signal.throwIfAborted();
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const events = orchestrator.stream(askForWorkflow(asked, userId), {
          ...by,
          signal: left.signal,
          onTask: named.resolve,
        });
        const result = await readWorkflowResult(orchestrator.profile.name, events);
        if (result.outcome === "input-required") await cancel();
        return result;
      } finally {
        named.resolve(undefined);
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
