import { connectAgent, type RemoteAgent, type RemoteRequest } from "@troupe/a2a/client";
import { AgentError, isTroupeError, TroupeError } from "@troupe/core";
import type { AgentEvent, AgentEventOf, InputReply, InputRequest } from "@troupe/stream";
import type { RunView } from "@troupe/workflow";

import { interruptedEnd } from "../orchestrator/interruption.ts";
import { answerTurn } from "./answer-turn.ts";
import type { CliContext } from "./context.ts";
import { deliver, type TurnEnd } from "./deliver.ts";
import { fetchFrom } from "./fetch-from.ts";
import { notTaken, otherWasFirst } from "./not-taken.ts";
import { harmless } from "./render/harmless.ts";
import type { Progress } from "./render/progress.ts";
import { findRun } from "./runs.ts";
import { Outage, reconnect, type UsedServers } from "./servers.ts";
import type { ShownEvents } from "./shown-events.ts";
import { typed } from "./typed.ts";

export interface FollowOptions {
  /** Folder for files. */
  readonly out: string;
  readonly json: boolean;
  /** No progress, and no word on what runs. */
  readonly quiet?: boolean;
  readonly inputs: ReadonlyMap<string, string>;
  readonly progress: Progress;
}

/** What is known of a run so far, also when following it ends with an error. */
export interface KnownRun {
  runId: string;
  /** Whose it is, where it has an owner. */
  userId?: string;
  /** Position of the event behind the last one that was shown, where they are read by position. */
  next: number;
  /** What was shown of it, where it is told turn by turn. */
  readonly shown: ShownEvents;
}

/** How long a run may take to end after the first Ctrl-C. */
const CANCEL_MS = 5_000;

/** Makes a request of the orchestrator and follows its run to the end: questions, answer, files. */
export async function follow(
  context: CliContext,
  servers: UsedServers,
  first: RemoteRequest,
  options: FollowOptions,
  known: KnownRun,
): Promise<number> {
  let { url } = servers;
  let request = first;
  const outage = new Outage(context.clock);
  const progress: Progress = {
    event(event) {
      outage.recovered();
      options.progress.event(event);
    },
    end: () => options.progress.end(),
  };
  /** Steps that had their answer from what was given: asked again, they did not want it. */
  const answered = new Set<string>();
  const unused = new Set(options.inputs.keys());
  for (;;) {
    let turn: TurnEnd & { readonly taskId: string };
    const began = context.clock.now();
    try {
      turn = await oneTurn(context, url, request, progress, known);
    } catch (error) {
      if (!(error instanceof Lost)) {
        const cut = await interruptedTurn(url, known.runId, context.token);
        if (cut === undefined) throw await notTaken(context, url, request, error);
        progress.end();
        return deliver(context, cut, options);
      }
      const before = error.taskId === "" && known.runId === "";
      // It may have been begun, and must not be begun twice.
      if (before && !error.refused) throw error.cause;
      const { isNew, pauseMs } = outage.failed(began);
      if (isNew && before) context.err("The orchestrator is gone; asking it again when it is back ...\n");
      else if (isNew && error.reply === undefined)
        context.err("The orchestrator is gone; joining the run again ...\n");
      if (pauseMs > 0) await context.clock.sleep(pauseMs, context.interrupted).catch(() => undefined);
      const back = outage.isOver ? undefined : await reconnect(context, servers, outage.until);
      if (back === undefined)
        throw before ? notBegun(error.cause) : kept(context, error.cause, known.runId || error.taskId);
      url = back;
      if (known.runId === "" && (await isRun(url, error.taskId, context.token))) known.runId = error.taskId;
      request = known.runId === "" ? first : { ...joining(known), ...replyOf(error) };
      continue;
    }
    if (turn.finish?.outcome !== "input-required") {
      options.progress.end();
      const refused = otherWasFirst(context, request, turn);
      if (refused !== undefined) throw refused;
      const code = await deliver(context, turn, options);
      sayUnused(context, unused);
      return code;
    }
    options.progress.end();
    const { error } = turn.finish;
    if (error !== undefined) context.err(harmless(`troupe: ${error.message}\n`));
    const { step = "", request: asked } = turn.requests.at(-1) ?? {};
    const inputs = answered.has(step) ? new Map<string, string>() : options.inputs;
    const reply = await answerTurn(context, turn, { json: options.json, inputs, refused: error });
    if (asked?.kind === "form") for (const field of asked.form.fields) unused.delete(field.field_name);
    if (typeof reply === "number") {
      sayUnused(context, unused);
      return reply;
    }
    answered.add(step);
    request = { reply, taskId: turn.taskId, metadata: BY_COMMAND, ...userOf(known) };
  }
}

/** The end of a turn whose run the engine cannot go on with, as on a full disk; undefined where it is in no such state. */
async function interruptedTurn(
  url: string,
  runId: string,
  token: string | undefined,
): Promise<TurnEnd | undefined> {
  if (runId === "") return undefined;
  const view = await findRun(url, runId, token).catch(() => undefined);
  if (view?.status !== "interrupted") return undefined;
  const reason = view.reason ?? "The run is interrupted, not over.";
  return { runId, finish: interruptedEnd(view, { code: "store.io", message: reason }, 0), requests: [] };
}

/** Kept with an answer: which way it came. */
export const BY_COMMAND = { through: "cli" } as const;

/** A request that joins a run, whichever task began it. */
export function joining(run: Pick<RunView, "runId" | "userId">): RemoteRequest {
  return { text: "", metadata: { run_id: run.runId, ...BY_COMMAND }, ...userOf(run) };
}

/** Whoever is at this machine speaks for the user whose run it is. */
export function userOf({ userId }: Pick<RunView, "userId">): Pick<RemoteRequest, "userId"> {
  return userId === undefined ? {} : { userId };
}

export function connect(context: CliContext, url: string): Promise<RemoteAgent> {
  return connectAgent(url, {
    clock: context.clock,
    newId: context.newId,
    signal: context.interrupted,
    // Also where the proxy of its public address is down.
    ignoreCardOrigin: true,
    fetch: fetchFrom(context, url),
    headers: ({ authenticates }): Record<string, string> =>
      authenticates && context.token !== undefined ? { Authorization: `Bearer ${context.token}` } : {},
  });
}

/** The orchestrator, or what it knew of the task, is gone; a run that was begun is not. */
class Lost extends Error {
  /** Of the task that took the request; empty when none is known to have. */
  readonly taskId: string;
  /** What may not have arrived. */
  readonly reply: InputReply | undefined;
  /** Nobody listened, so nothing has arrived. */
  readonly refused: boolean;

  constructor(cause: TroupeError, taskId: string, reply: InputReply | undefined) {
    super(cause.message, { cause });
    this.taskId = taskId;
    this.reply = reply;
    this.refused = isRefused(cause);
  }
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ECONNREFUSED") || isRefused(error.cause);
}

function replyOf({ reply }: Lost): Pick<RemoteRequest, "reply"> {
  return reply === undefined ? {} : { reply };
}

/** Whether a task came as far as a run: one that was still planned is gone with its process. */
async function isRun(url: string, taskId: string, token: string | undefined): Promise<boolean> {
  if (taskId === "") return false;
  try {
    const { runId, steps } = await findRun(url, taskId, token);
    return runId === taskId && steps.length > 0;
  } catch (error) {
    if (isTroupeError(error) && error.code === "input.not-found") return false;
    throw error;
  }
}

const LOST = new Set(["agent.unreachable", "agent.task-lost"]);

async function oneTurn(
  context: CliContext,
  url: string,
  request: RemoteRequest,
  progress: Progress,
  known: KnownRun,
): Promise<TurnEnd & { readonly taskId: string }> {
  const ended = new AbortController();
  let taskId = request.taskId ?? "";
  let remote: RemoteAgent | undefined;
  const stopWatching = onInterrupt(context, async () => remote?.cancel(taskId), ended);
  let sent = false;
  try {
    remote = await connect(context, url);
    ({ taskId } = await remote.send({ ...request, messageId: context.newId() }, { signal: ended.signal }));
    sent = true;
    const turn = await readTurn(remote.join(taskId, { signal: ended.signal }), progress, known);
    if (turn.finish === undefined)
      throw new AgentError("agent.unreachable", "The orchestrator's stream ended without a result.");
    return { ...turn, taskId };
  } catch (error) {
    if (context.interrupted.aborted) return { runId: known.runId, finish: undefined, requests: [], taskId };
    if (isTroupeError(error) && LOST.has(error.code))
      throw new Lost(error, sent ? taskId : "", sent ? undefined : request.reply);
    throw error;
  } finally {
    stopWatching();
  }
}

async function readTurn(
  events: AsyncIterable<AgentEvent>,
  progress: Progress,
  known: KnownRun,
): Promise<TurnEnd> {
  const requests = new Map<string, { readonly step: string; readonly request: InputRequest }>();
  let finish: AgentEventOf<"finish"> | undefined;
  for await (const event of events) {
    known.runId = event.runId;
    // A run that is joined again is told from its start.
    const fresh = known.shown.take(event);
    if (fresh !== undefined) progress.event(fresh);
    if (event.type === "input-required")
      requests.set(event.request.requestId, { step: event.stepId ?? "", request: event.request });
    if (event.type === "finish" && event.stepId === undefined) finish = event;
  }
  return { runId: known.runId, finish, requests: [...requests.values()] };
}

function sayUnused(context: CliContext, names: ReadonlySet<string>): void {
  if (names.size > 0) context.err(`Not asked for, so not used: --input ${[...names].join(", ")}.\n`);
}

function notBegun(error: unknown): unknown {
  if (!isTroupeError(error)) return error;
  const message = `${error.message} Nothing was begun: give the command again once the servers are up.`;
  return new TroupeError(error.code, message, { retryable: true, cause: error });
}

/** A started run is kept whatever becomes of the orchestrator, and goes on when that is back. */
function kept(context: CliContext, error: unknown, runId: string): unknown {
  if (!isTroupeError(error)) return error;
  const message =
    `${error.message} The run is kept: see \`${typed(context, "runs")}\`. ` +
    `To follow it once the servers are up: ${typed(context, `watch ${runId}`)}; to go on with it here: ${typed(context, `resume ${runId}`)}`;
  return new TroupeError(error.code, message, { retryable: true, cause: error });
}

/** Cancels at the first Ctrl-C, and stops waiting for the end after a while. */
function onInterrupt(context: CliContext, cancel: () => Promise<void>, ended: AbortController): () => void {
  const handle = (): void => {
    context.err("\nStopping the run ...\n");
    cancel().catch(() => undefined);
    context.clock.schedule(CANCEL_MS, () => ended.abort());
  };
  if (context.interrupted.aborted) handle();
  else context.interrupted.addEventListener("abort", handle, { once: true });
  return () => context.interrupted.removeEventListener("abort", handle);
}
