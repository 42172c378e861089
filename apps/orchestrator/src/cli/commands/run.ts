import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { connectAgent, type RemoteRequest } from "@troupe/a2a/client";
import { AgentError, InputError, isTroupeError, toErrorInfo, TroupeError } from "@troupe/core";
import type { AgentEvent, AgentEventOf, InputReply, InputRequest, JsonObject } from "@troupe/stream";
import { normalizeWorkflow, parseWorkflow, type Workflow } from "@troupe/workflow";

import { checkCollections } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { brokenLine, deliver, resultLine, type TurnEnd } from "../deliver.ts";
import { EXIT } from "../exit-codes.ts";
import { answerRequest } from "../inputs.ts";
import type { Progress } from "../render/progress.ts";
import { useServers } from "../servers.ts";

export interface RunOptions {
  readonly task: string;
  /** Path of a workflow file; the planner writes one when absent. */
  readonly workflow?: string;
  readonly collection?: string;
  /** The collection is known to be there. */
  readonly checked?: boolean;
  /** Folder for files. */
  readonly out: string;
  readonly json: boolean;
  readonly inputs: ReadonlyMap<string, string>;
  readonly progress: Progress;
}

interface RunMetadata {
  readonly workflow?: Workflow;
}

/** How long a run may take to end after the first Ctrl-C. */
const CANCEL_MS = 5_000;

/** Runs a task or a workflow file and delivers its answer and files. */
export async function run(context: CliContext, options: RunOptions): Promise<number> {
  const known = { runId: "" };
  try {
    const metadata = requestMetadata(context, options);
    if (options.checked !== true) await checkCollections(context, collectionsOf(options, metadata));
    const servers = await useServers(context);
    try {
      return await follow(context, options, servers.url, metadata, known);
    } finally {
      await servers.release();
    }
  } catch (error) {
    // Whoever reads the events waits for a result, however the run ended.
    const outcome = context.interrupted.aborted ? "canceled" : "failed";
    if (options.json)
      context.out(`${JSON.stringify(brokenLine(known.runId, outcome, toErrorInfo(error)))}\n`);
    throw error;
  }
}

function collectionsOf(options: RunOptions, metadata: RunMetadata): readonly string[] {
  const steps = metadata.workflow?.steps.map((step) => step.collection) ?? [];
  return [options.collection, ...steps].filter((name) => name !== undefined);
}

function requestMetadata(context: CliContext, options: RunOptions): RunMetadata {
  if (options.workflow === undefined) return {};
  const file = resolve(context.cwd, options.workflow);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new InputError(
      "input.not-found",
      `The workflow file "${options.workflow}" cannot be read. Check the path.`,
      { cause: error },
    );
  }
  // Checked here, before anything is started; the orchestrator checks the agents' names.
  const workflow = parseWorkflow(text, { file: options.workflow });
  normalizeWorkflow(workflow, { file: options.workflow });
  return { workflow };
}

async function follow(
  context: CliContext,
  options: RunOptions,
  url: string,
  metadata: RunMetadata,
  known: { runId: string },
): Promise<number> {
  const remote = await connectAgent(url, {
    clock: context.clock,
    newId: context.newId,
    signal: context.interrupted,
  });
  const ended = new AbortController();
  let request: RemoteRequest = {
    text: options.task,
    ...(options.collection === undefined ? {} : { collectionId: options.collection }),
    metadata: metadata as JsonObject,
  };
  let taskId: string | undefined;
  for (;;) {
    const sent = await remote.send(
      { ...request, messageId: context.newId(), ...(taskId === undefined ? {} : { taskId }) },
      { signal: ended.signal },
    );
    taskId = sent.taskId;
    const id = taskId;
    const stopWatching = onInterrupt(
      context,
      async () => {
        await remote.cancel(id);
      },
      ended,
    );
    const events = remote.join(id, { signal: ended.signal });
    const turn = await readTurn(events, options.progress, context, known);
    stopWatching();
    if (turn.finish?.outcome !== "input-required") {
      options.progress.end();
      return deliver(context, turn, { json: options.json, out: options.out });
    }
    const reply = await ask(context, options, turn.requests);
    if (reply === undefined) {
      options.progress.end();
      context.err(waitingText(turn.requests));
      if (options.json) context.out(`${JSON.stringify(resultLine(turn, { saved: [] }))}\n`);
      return EXIT.inputNeeded;
    }
    request = { reply };
  }
}

async function readTurn(
  events: AsyncIterable<AgentEvent>,
  progress: Progress,
  context: CliContext,
  known: { runId: string },
): Promise<TurnEnd> {
  const requests: InputRequest[] = [];
  let finish: AgentEventOf<"finish"> | undefined;
  try {
    for await (const event of events) {
      known.runId = event.runId;
      progress.event(event);
      if (event.type === "input-required") requests.push(event.request);
      if (event.type === "finish" && event.stepId === undefined) finish = event;
    }
  } catch (error) {
    if (!context.interrupted.aborted) throw lost(error);
  }
  if (finish === undefined && !context.interrupted.aborted) {
    throw lost(new AgentError("agent.protocol", "The orchestrator's stream ended without a result."));
  }
  return { runId: known.runId, finish, requests };
}

/** A started run is kept whatever becomes of the orchestrator, and goes on when that is back. */
function lost(error: unknown): unknown {
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

async function ask(
  context: CliContext,
  options: RunOptions,
  requests: readonly InputRequest[],
): Promise<InputReply | undefined> {
  const request = requests.at(-1);
  if (request === undefined) return undefined;
  options.progress.end();
  return answerRequest(context, request, options.inputs);
}

function waitingText(requests: readonly InputRequest[]): string {
  const request = requests.at(-1);
  if (request?.kind !== "form") return "The run waits for a person.\n";
  const flags = request.form.fields.map((field) => `--input ${field.field_name}=...`).join(" ");
  return `The run waits for a person: ${request.form.title}. Run again at a terminal, or with ${flags}\n`;
}
