import { NO_USAGE, type AgentEvent } from "@troupe/stream";

import { toErrorInfo } from "../errors/error-info.ts";
import { AgentError } from "../errors/agent-error.ts";
import type { AgentRequest, AgentResult, RunnableAgent, SendRequest, Turn } from "../ports/agent.ts";
import { collectResult } from "./collect-result.ts";

/** One turn of a task: runs at once, whether or not anyone listens, and can be joined at any time. */
export class RunningTask {
  readonly taskId: string;
  readonly agent: string;
  readonly #events: AgentEvent[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #abort = new AbortController();
  readonly #done: Promise<AgentResult>;
  readonly #request: AgentRequest;
  #ended: AgentResult | undefined;

  constructor(agent: RunnableAgent, taskId: string, request: AgentRequest) {
    this.agent = agent.profile.name;
    this.taskId = taskId;
    this.#request = request;
    this.#done = this.#run(agent).then((result) => {
      this.#ended = result;
      return result;
    });
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** The conversation so far, for the turn that goes on with this task. */
  get history(): readonly Turn[] {
    const asked = this.#request.delegation?.instruction ?? this.#request.text;
    const request = this.#ended?.request;
    const question = request?.kind === "form" ? request.form.description : "";
    const said = [...new Set([this.#ended?.answer ?? "", question])]
      .filter((text) => text !== "")
      .join("\n\n");
    const turns: Turn[] = [...this.#request.history, { role: "user", text: asked }];
    return said === "" ? turns : [...turns, { role: "agent", text: said }];
  }

  cancel(): void {
    this.#abort.abort(new AgentError("agent.canceled", "The task was canceled."));
  }

  /** Every event from the first, then live ones, then the result. Aborting only stops listening. */
  async join(onEvent: ((event: AgentEvent) => void) | undefined, signal: AbortSignal): Promise<AgentResult> {
    signal.throwIfAborted();
    if (onEvent !== undefined) {
      for (const event of this.#events) notify(onEvent, event);
      this.#listeners.add(onEvent);
    }
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([this.#done, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (onEvent !== undefined) this.#listeners.delete(onEvent);
    }
  }

  async #run(agent: RunnableAgent): Promise<AgentResult> {
    const collector = collectResult(this.agent);
    try {
      for await (const event of agent.run(this.#request, { signal: this.#abort.signal })) {
        this.#events.push(event);
        collector.add(event);
        for (const listener of this.#listeners) notify(listener, event);
      }
    } catch (error) {
      return this.#failed(collector.result(), error);
    }
    const result = collector.result();
    return (
      result ??
      this.#failed(
        undefined,
        new AgentError("agent.protocol", `Agent "${this.agent}" ended without a finish.`),
      )
    );
  }

  #failed(result: AgentResult | undefined, error: unknown): AgentResult {
    return {
      agent: this.agent,
      answer: "",
      data: null,
      citations: [],
      artifacts: [],
      usage: NO_USAGE,
      ...result,
      outcome: "failed",
      error: toErrorInfo(error),
    };
  }
}

/** A listener that throws must not end the task it listens to. */
function notify(listener: (event: AgentEvent) => void, event: AgentEvent): void {
  try {
    listener(event);
  } catch {
    // The listener's own concern.
  }
}

export function requestOf(taskId: string, send: SendRequest, history: readonly Turn[]): AgentRequest {
  const { delegation } = send;
  return {
    runId: taskId,
    text: delegation.instruction,
    history,
    ...(send.contextId === undefined ? {} : { contextId: send.contextId }),
    ...(delegation.userId === undefined ? {} : { userId: delegation.userId }),
    ...(delegation.collectionId === undefined ? {} : { collectionId: delegation.collectionId }),
    delegation,
    ...(send.reply === undefined ? {} : { reply: send.reply }),
  };
}
