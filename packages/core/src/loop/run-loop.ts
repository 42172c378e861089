import type { AgentEvent, InputRequest } from "@troupe/stream";

import { AgentError } from "../errors/agent-error.ts";
import { toErrorInfo } from "../errors/error-info.ts";
import { InputError } from "../errors/input-error.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { SuspendedRun } from "../ports/suspended-runs.ts";
import { findSuspended, originOf, unknownReply } from "../suspend/find-suspended.ts";
import { readReply } from "../suspend/read-reply.ts";
import { askOnceMore, resumeRun } from "../suspend/resume-run.ts";
import { suspendRun } from "../suspend/suspend-run.ts";
import { readResultTool } from "../tools/read-result.ts";
import { todayAt } from "../text/today.ts";
import { FINISH_TOOL, type ToolRegistry } from "../tools/tool-registry.ts";
import { askModel } from "./ask-model.ts";
import { checkDraft } from "./check-answer.ts";
import { concludeRound } from "./conclude-round.ts";
import { cutShort, emitEnding, type Ending } from "./ending.ts";
import { EventChannel } from "./event-channel.ts";
import { checkedFinishDefinition, finishDefinition } from "./finish-tool.ts";
import { handOver } from "./hand-over.ts";
import { mayAskAgain } from "./lookup.ts";
import { firstMessages, LAST_ROUND, overviewMessage, requestLanguage, systemPrompt } from "./prompt.ts";
import { Interrupt } from "./interrupt.ts";
import { Run, type LoopOptions } from "./run.ts";
import { textOf } from "./text-item.ts";
import { unreadFileNotes } from "./unread-files.ts";

/** Of a store's error a client learns no more: its message is for whoever runs the agent, and names files. */
const NOT_KEPT = "What the agent keeps could not be stored or read. Its log has the details.";

/**
 * The ReAct loop: ask the model, run the tools it calls, until it finishes or a limit is met. A run
 * that waits for a person is taken up where it stopped. Begins at the first read. The last event is
 * `finish`, always and once; nothing is thrown. A reader that goes away early cancels the run.
 */
export function runLoop(
  request: AgentRequest,
  options: LoopOptions & { readonly signal: AbortSignal },
): AsyncIterableIterator<AgentEvent, undefined> {
  const abort = new AbortController();
  const channel = new EventChannel({
    runId: request.runId,
    agent: options.config.name,
    start: () => void drive(request, options, channel, abort),
    stop: () => abort.abort(new AgentError("agent.canceled", "Nobody reads this run any more.")),
  });
  return channel;
}

/** Never rejects. */
async function drive(
  turn: AgentRequest,
  options: LoopOptions & { readonly signal: AbortSignal },
  channel: EventChannel,
  abort: AbortController,
): Promise<void> {
  const { signal: caller } = options;
  const onCancel = (): void => abort.abort(caller.reason);
  caller.addEventListener("abort", onCancel, { once: true });
  if (caller.aborted) onCancel();
  const interrupt = new Interrupt(abort.signal);
  const { found, error } = await findSuspended(turn, options, interrupt);
  const run = new Run(found === undefined ? turn : originOf(turn, found), options, channel, interrupt, found);
  const timeout = limitTime(run, abort);
  let ending: Ending;
  try {
    if (error !== undefined) throw error;
    ending = run.signal.aborted ? { outcome: "canceled" } : await work(run, turn, found);
  } catch (thrown) {
    ending = interrupted(run, caller, thrown);
  }
  timeout();
  ending = checkDraft(run, ending);
  run.closeItems();
  const asked = await suspended(run, caller, ending);
  // A run that waits goes on with it.
  if (asked.request === undefined) run.releaseHeld();
  caller.removeEventListener("abort", onCancel);
  emitEnding(run, asked.ending, asked.request);
  channel.close();
}

function limitTime(run: Run, abort: AbortController): () => void {
  const { timeoutMs } = run.limits;
  return run.options.clock.schedule(Math.max(0, timeoutMs - run.elapsedMs), () =>
    abort.abort(
      new AgentError("agent.timeout", `The time limit of ${timeoutMs} ms was reached before the answer.`),
    ),
  );
}

function interrupted(run: Run, caller: AbortSignal, error: unknown): Ending {
  if (caller.aborted) return { outcome: "canceled" };
  if (isTroupeError(error) && !error.code.startsWith("store.")) return cutShort(run, toErrorInfo(error));
  run.log.error("run failed", { runId: run.runId, error });
  return cutShort(run, isTroupeError(error) ? { code: error.code, message: NOT_KEPT } : toErrorInfo(error));
}

/** What is to be asked is kept first: nobody can answer what they do not know yet. */
async function suspended(
  run: Run,
  caller: AbortSignal,
  ending: Ending,
): Promise<{ readonly ending: Ending; readonly request?: InputRequest }> {
  if (ending.ask === undefined) return { ending };
  try {
    const request = await suspendRun(run, ending.ask, textOf(ending.answer ?? []));
    if (!caller.aborted) return { ending, request };
    await run.options.suspended.forget(run.runId);
    return { ending: { outcome: "canceled" } };
  } catch (error) {
    return { ending: interrupted(run, caller, error) };
  }
}

async function work(run: Run, turn: AgentRequest, found: SuspendedRun | undefined): Promise<Ending> {
  const { options, request } = run;
  const reply = found === undefined ? undefined : readReply(found, turn);
  if (found !== undefined && reply?.kind === "again") return askOnceMore(run, found, reply.issues);
  if (found === undefined) {
    const values = unknownReply(request);
    run.evidence.give(values);
    run.messages.push(...firstMessages(request, values, run.images.ofRequest));
  } else if (reply?.kind === "filled" || reply?.kind === "words") run.evidence.give(reply.text);
  const { delegation } = request;
  const reading = delegation && readResultTool(delegation, options.readArtifact);
  const more = reading === undefined ? [] : [reading];
  const opened = options.openTools(delegation?.allowedTools ?? [], run.signal, more);
  const overview = found === undefined ? readOverview(run) : undefined;
  const registry = opened instanceof Promise ? await run.interrupt.race(opened) : opened;
  const held = overview === undefined ? undefined : await run.interrupt.race(overview);
  // First, because it is the same for every request about one collection and can be cached.
  if (held !== undefined) run.messages.unshift(overviewMessage(held));
  const unread = unreadFileNotes(request.unreadFiles ?? []);
  announceMissing(run, registry, unread);
  warnOfUnknown(run, registry);
  if (found !== undefined && reply !== undefined && reply.kind !== "again") {
    const ending = (await resumeRun(run, registry, found, reply)) ?? (await rounds(run, registry, unread));
    return reply.kind === "words" ? explainSameForm(ending, found, reply.why) : ending;
  }
  return rounds(run, registry, unread);
}

/** Where the same form is asked again, adds why the words of the reply filled nothing in it. */
function explainSameForm(ending: Ending, { request }: SuspendedRun, why: string): Ending {
  const { ask, error } = ending;
  if (ask?.kind !== "form" || request.kind !== "form" || error !== undefined) return ending;
  if (JSON.stringify(ask.form) !== JSON.stringify(request.form)) return ending;
  return { ...ending, error: toErrorInfo(new InputError("input.invalid", why)) };
}

function readOverview({
  options,
  userId,
  collectionId,
  signal,
}: Run): Promise<string | undefined> | undefined {
  return options.overview?.(
    {
      ...(userId === undefined ? {} : { userId }),
      ...(collectionId === undefined ? {} : { collectionId }),
    },
    signal,
  );
}

async function rounds(run: Run, registry: ToolRegistry, unread: readonly string[]): Promise<Ending> {
  const { options } = run;
  const today = todayAt(options.clock.now());
  const language = requestLanguage(run.request);
  const system = systemPrompt(options.config.system_prompt, run.mode, {
    today,
    ...(language === undefined ? {} : { language }),
    unavailable: registry.unavailable,
    unread,
  });
  const finish = options.answerCheck === undefined ? finishDefinition : checkedFinishDefinition;
  const tools = run.mode === "finish" ? [...registry.definitions, finish] : registry.definitions;
  const { maxIterations } = run.limits;

  while (run.iteration < maxIterations) {
    run.iteration++;
    const asked = inLastRound(run, { system, messages: [...run.messages], tools });
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
  const rounds = maxIterations === 1 ? "one round" : `${maxIterations} rounds`;
  const message = `No answer after ${rounds}, the limit of this agent.`;
  return handOver(run, { code: "agent.limit", message });
}

/** In the last of several rounds only an answer is useful. The tools stay listed, because the prompt cache begins with them. */
function inLastRound(run: Run, request: ModelRequest): ModelRequest {
  const { maxIterations } = run.limits;
  if (run.iteration < maxIterations || maxIterations === 1 || !mayAskAgain(run)) return request;
  const messages = [...request.messages, { role: "user" as const, text: LAST_ROUND[run.mode] }];
  return { ...request, messages, toolChoice: run.mode === "finish" ? { name: FINISH_TOOL } : "none" };
}

/** A name nobody has protects nothing. Not said where tools are missing or left out on purpose. */
function warnOfUnknown(run: Run, registry: ToolRegistry): void {
  const { approve } = run.options.config;
  if (approve.length === 0 || registry.unavailable.length > 0) return;
  if ((run.request.delegation?.allowedTools ?? []).length > 0) return;
  const unknown = approve.filter((name) => name !== "*" && !registry.names.includes(name));
  if (unknown.length > 0) run.log.warn("approve names tools that this agent does not have", { unknown });
}

/** People hear which tools are missing and which files were not read, too. */
function announceMissing(run: Run, registry: ToolRegistry, unread: readonly string[]): void {
  const missing = registry.unavailable.map(
    ({ source, reason }) => `The tools of ${source} are not available: ${reason}`,
  );
  for (const note of [...missing, ...unread]) run.narrate(note);
}
