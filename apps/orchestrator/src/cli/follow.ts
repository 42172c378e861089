import { connectAgent, type RemoteAgent, type RemoteRequest } from "@troupe/a2a/client";
import { AgentError, isTroupeError, TroupeError } from "@troupe/core";
import type { AgentEvent, AgentEventOf, InputReply, InputRequest } from "@troupe/stream";

import type { CliContext } from "./context.ts";
import { deliver, resultLine, type TurnEnd } from "./deliver.ts";
import { EXIT } from "./exit-codes.ts";
import { answerRequest } from "./inputs.ts";
import type { Progress } from "./render/progress.ts";
import { reconnect, type UsedServers } from "./servers.ts";
import { waitingText } from "./waiting.ts";

export interface FollowOptions {
  /** Folder for files. */
  readonly out: string;
  readonly json: boolean;
  readonly inputs: ReadonlyMap<string, string>;
  readonly progress: Progress;
}

/** What is known of a run so far, also when following it ends with an error. */
export interface KnownRun {
  runId: string;
  /** Number of the event after the last one that was shown. */
  next: number;
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
  let remote = await connect(context, servers.url);
  let request = first;
  for (;;) {
    let turn: TurnEnd & { readonly taskId: string };
    try {
      turn = await oneTurn(context, remote, request, options.progress, known);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (known.runId === "") throw error.cause;
      if (error.reply === undefined) context.err("The orchestrator is gone; joining the run again ...\n");
      const url = await reconnect(context, servers);
      if (url === undefined) throw kept(error.cause);
      remote = await connect(context, url);
      request = { ...joining(known.runId), ...(error.reply ? { reply: error.reply } : {}) };
      continue;
    }
    if (turn.finish?.outcome !== "input-required") {
      options.progress.end();
      return deliver(context, turn, options);
    }
    options.progress.end();
    const asked = turn.requests.at(-1);
    const reply = asked && (await answerRequest(context, asked.request, options.inputs));
    if (reply === undefined) {
      context.err(waitingText(turn.runId, turn.requests));
      if (options.json) context.out(`${JSON.stringify(resultLine(turn, { saved: [] }))}\n`);
      return EXIT.inputNeeded;
    }
    request = { reply, taskId: turn.taskId };
  }
}

/** A request that joins a run, whichever task began it. */
export function joining(runId: string): RemoteRequest {
  return { text: "", metadata: { run_id: runId } };
}

export function connect(context: CliContext, url: string): Promise<RemoteAgent> {
  return connectAgent(url, { clock: context.clock, newId: context.newId, signal: context.interrupted });
}

/** The orchestrator, or what it knew of the task, is gone; the run is not. */
class Lost extends Error {
  /** What may not have arrived. */
  readonly reply: InputReply | undefined;

  constructor(cause: TroupeError, reply: InputReply | undefined) {
    super(cause.message, { cause });
    this.reply = reply;
  }
}

const LOST = new Set(["agent.unreachable", "agent.task-lost"]);

async function oneTurn(
  context: CliContext,
  remote: RemoteAgent,
  request: RemoteRequest,
  progress: Progress,
  known: KnownRun,
): Promise<TurnEnd & { readonly taskId: string }> {
  const ended = new AbortController();
  let taskId = request.taskId ?? "";
  const stopWatching = onInterrupt(context, () => remote.cancel(taskId), ended);
  let sent = false;
  try {
    ({ taskId } = await remote.send({ ...request, messageId: context.newId() }, { signal: ended.signal }));
    sent = true;
    const turn = await readTurn(remote.join(taskId, { signal: ended.signal }), progress, known);
    if (turn.finish === undefined)
      throw new AgentError("agent.unreachable", "The orchestrator's stream ended without a result.");
    return { ...turn, taskId };
  } catch (error) {
    if (context.interrupted.aborted) return { runId: known.runId, finish: undefined, requests: [], taskId };
    if (isTroupeError(error) && LOST.has(error.code)) throw new Lost(error, sent ? undefined : request.reply);
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
    if (event.seq >= known.next) progress.event(event);
    known.next = Math.max(known.next, event.seq + 1);
    if (event.type === "input-required")
      requests.set(event.request.requestId, { step: event.stepId ?? "", request: event.request });
    if (event.type === "finish" && event.stepId === undefined) finish = event;
  }
  return { runId: known.runId, finish, requests: [...requests.values()] };
}

/** A started run is kept whatever becomes of the orchestrator, and goes on when that is back. */
function kept(error: unknown): unknown {
  if (!isTroupeError(error)) return error;
  const message = `${error.message} The run is kept: see \`troupe runs\`.`;
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
