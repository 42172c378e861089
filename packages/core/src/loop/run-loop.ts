import type { AgentEvent } from "@troupe/stream";

import { AgentError } from "../errors/agent-error.ts";
import { toErrorInfo } from "../errors/error-info.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { askModel } from "./ask-model.ts";
import { concludeRound } from "./conclude-round.ts";
import { cutShort, emitEnding, type Ending } from "./ending.ts";
import { EventChannel } from "./event-channel.ts";
import { finishDefinition } from "./finish-tool.ts";
import { firstMessages, systemPrompt } from "./prompt.ts";
import { Run, type LoopOptions } from "./run.ts";
import { takeReply } from "./take-reply.ts";

/**
 * The ReAct loop: ask the model, run the tools it calls, until it finishes or a limit is met.
 * Begins at the first read. The last event is `finish`, always and once; nothing is thrown.
 * A reader that goes away early cancels the run.
 */
export function runLoop(
  request: AgentRequest,
  options: LoopOptions & { readonly signal: AbortSignal },
): AsyncIterableIterator<AgentEvent, undefined> {
  const abort = new AbortController();
  const channel = new EventChannel({
    runId: request.runId,
    agent: options.config.name,
    start: () => void drive(new Run(request, options, channel, abort.signal), options.signal, abort),
    stop: () => abort.abort(new AgentError("agent.canceled", "Nobody reads this run any more.")),
  });
  return channel;
}

/** Never rejects. */
async function drive(run: Run, caller: AbortSignal, abort: AbortController): Promise<void> {
  const onCancel = (): void => abort.abort(caller.reason);
  const timeout = limitTime(run, abort);
  caller.addEventListener("abort", onCancel, { once: true });
  if (caller.aborted) onCancel();
  let ending: Ending;
  try {
    ending = run.signal.aborted ? { outcome: "canceled" } : await work(run);
  } catch (error) {
    ending = interrupted(run, caller, error);
  }
  timeout();
  caller.removeEventListener("abort", onCancel);
  run.closeItems();
  run.releaseHeld();
  emitEnding(run, ending);
  run.channel.close();
}

function limitTime(run: Run, abort: AbortController): () => void {
  const { timeoutMs } = run.limits;
  if (timeoutMs === undefined) return () => undefined;
  const error = new AgentError(
    "agent.timeout",
    `The time limit of ${timeoutMs} ms was reached before the answer.`,
  );
  return run.options.clock.schedule(timeoutMs, () => abort.abort(error));
}

function interrupted(run: Run, caller: AbortSignal, error: unknown): Ending {
  if (caller.aborted) return { outcome: "canceled" };
  if (!isTroupeError(error)) run.options.log.error("run failed", { runId: run.request.runId, error });
  return cutShort(run, toErrorInfo(error));
}

async function work(run: Run): Promise<Ending> {
  const { options, request } = run;
  const reply = takeReply(run);
  if (typeof reply !== "string") return reply;
  const opened = options.openTools(request.delegation?.allowedTools ?? [], run.signal);
  const registry = opened instanceof Promise ? await run.interrupt.race(opened) : opened;
  announceMissing(run, registry);
  run.messages.push(...firstMessages(request, reply));
  const system = systemPrompt(options.config.system_prompt, run.mode, registry.unavailable);
  const tools = run.mode === "finish" ? [...registry.definitions, finishDefinition] : registry.definitions;
  const maxIterations = run.limits.maxIterations ?? options.config.max_iterations;

  while (run.iteration < maxIterations) {
    run.iteration++;
    const asked = modelRequest(run, system, tools);
    const round = await askModel(run, asked, run.reading);
    const ending = await concludeRound(run, registry, round, asked);
    if (ending !== undefined) return ending;
    if (options.stopRule?.(run.state()) === true) {
      return cutShort(run, {
        code: "agent.stopped",
        message: "The agent's stop rule ended the run before an answer.",
      });
    }
  }
  const message = `No answer after ${maxIterations} rounds, the limit of this agent.`;
  return cutShort(run, { code: "agent.limit", message });
}

function modelRequest(run: Run, system: string, tools: ModelRequest["tools"]): ModelRequest {
  const maxOutputTokens = run.remainingOutputTokens();
  return {
    system,
    messages: [...run.messages],
    tools,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

/** People hear which tools are missing, too. */
function announceMissing(run: Run, registry: ToolRegistry): void {
  for (const { source, reason } of registry.unavailable) {
    const item = run.textItem("open");
    item.write(`The tools of ${source} are not available: ${reason}`);
    item.settle("narration");
  }
}
