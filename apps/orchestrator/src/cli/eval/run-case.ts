import type { RemoteAgent } from "@troupe/a2a/client";
import { isTroupeError, TroupeError, toErrorInfo, type Fetch } from "@troupe/core";
import {
  addUsage,
  EMPTY_RESPONSE,
  NO_USAGE,
  type AgentEvent,
  type AgentEventOf,
  type ArtifactRef,
  type JsonObject,
} from "@troupe/stream";
import { parseWorkflow } from "@troupe/workflow";

import { download } from "../../adapters/download.ts";
import { readRunReport } from "../../orchestrator/run-report.ts";
import type { CliContext } from "../context.ts";
import { BY_COMMAND } from "../follow.ts";
import type { EvalCase, EvalTurn } from "./eval-file.ts";
import { checkTurn, type Failure, type Observed, type ObservedDeck } from "./expectations.ts";

/** One attempt at a case. */
export interface Attempt {
  readonly failures: readonly Failure[];
  /** The run failed or took too long, so no expectation was tested. */
  readonly isError: boolean;
  readonly turns: readonly ObservedTurn[];
  readonly seconds: number;
  readonly tokens: number;
  readonly calls: number;
}

export interface ObservedTurn extends Observed {
  readonly request: string;
  readonly runId: string;
}

interface RunTools {
  readonly context: CliContext;
  readonly remote: RemoteAgent;
  /** For files of runs. */
  readonly fetch: Fetch;
  /** Line in the file of each regular expression. */
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * Runs the turns of a case in order and compares each with its expectations. A run that fails or takes too
 * long fails the case. Throws only when the command is interrupted.
 */
export async function runCase(tools: RunTools, one: EvalCase): Promise<Attempt> {
  const contextId = tools.context.newId();
  const turns: ObservedTurn[] = [];
  const failures: Failure[] = [];
  for (const [index, turn] of one.turns.entries()) {
    const seen = await runTurn(tools, one, turn, contextId);
    turns.push(seen);
    const name = one.turns.length === 1 ? "" : `turn ${index + 1}: `;
    const failed = checkTurn(turn.expect, seen, tools.lines);
    failures.push(...failed.map(({ expectation, message }) => ({ expectation, message: name + message })));
    // Later turns build on this one.
    if (seen.outcome !== "completed" && failed.length > 0) break;
  }
  const sum = (of: (turn: ObservedTurn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  return {
    failures,
    isError: failures.length > 0 && turns.at(-1)?.outcome === "failed",
    turns,
    seconds: sum(({ seconds }) => seconds),
    tokens: sum(({ tokens }) => tokens),
    calls: sum(({ calls }) => calls),
  };
}

/** How long a run that took too long may take to be canceled. */
const CANCEL_MS = 5_000;

async function runTurn(
  tools: RunTools,
  one: EvalCase,
  { request, expect }: EvalTurn,
  contextId: string,
): Promise<ObservedTurn> {
  const { context, remote } = tools;
  const { clock, interrupted } = context;
  interrupted.throwIfAborted();
  const over = new AbortController();
  const unschedule = clock.schedule(one.timeoutMs, () => over.abort());
  const signal = AbortSignal.any([interrupted, over.signal]);
  const began = clock.now();
  const events: AgentEvent[] = [];
  let taskId = "";
  let error: unknown;
  try {
    const metadata: JsonObject = {
      ...BY_COMMAND,
      ...(one.planOnly ? { plan_only: true } : {}),
      ...(one.given.length === 0
        ? {}
        : { conversation: one.given.map((turn) => ({ ...turn, agents: [...turn.agents] })) }),
    };
    const collection = one.collection === undefined ? {} : { collectionId: one.collection };
    const asked = { text: request, contextId, messageId: context.newId(), metadata, ...collection };
    // Not stopped by Ctrl-C: a task that is not known could not be canceled.
    ({ taskId } = await remote.send(asked, { signal: over.signal }));
    for await (const event of remote.join(taskId, { signal })) events.push(event);
  } catch (thrown) {
    error = thrown;
  } finally {
    unschedule();
  }
  const seconds = (clock.now() - began) / 1_000;
  const finish = events.findLast(isEnd);
  const asks = finish?.outcome === "input-required";
  if ((finish === undefined || asks) && taskId !== "") {
    const canceled = remote.cancel(taskId).catch(() => undefined);
    await Promise.race([canceled, clock.sleep(CANCEL_MS)]);
  }
  interrupted.throwIfAborted();
  const late = `It took longer than ${one.timeoutMs / 1_000} s and was stopped; timeout_seconds sets how long it may take.`;
  const base = { request, runId: events.at(-1)?.runId ?? taskId, seconds, ...usageOf(events) };
  if (finish === undefined)
    return {
      ...base,
      outcome: "failed",
      error: over.signal.aborted ? toErrorInfo(new TroupeError("eval.timeout", late)) : reasonFor(error),
      response: EMPTY_RESPONSE,
      agents: [],
    };
  const { outcome, response } = finish;
  const problem = asks
    ? { code: "eval.asks", message: `The run asks a person: ${response.metadata.question}`, retryable: false }
    : finish.error;
  const report = readRunReport(response.data);
  const agents =
    one.planOnly && outcome === "completed"
      ? parseWorkflow(response.content, { file: "the plan" }).steps.map(({ agent = "" }) => agent)
      : report.steps.map(({ agent }) => agent);
  const seen = {
    ...base,
    outcome,
    ...(problem === undefined ? {} : { error: problem }),
    response,
    agents: agents.filter((agent) => agent !== ""),
  };
  return expect.deck === undefined ? seen : withDeck(tools, seen, report.artifacts);
}

const isEnd = (event: AgentEvent): event is AgentEventOf<"finish"> =>
  event.type === "finish" && event.stepId === undefined;

function reasonFor(error: unknown): ReturnType<typeof toErrorInfo> {
  return isTroupeError(error)
    ? toErrorInfo(error)
    : toErrorInfo(new TroupeError("agent.unreachable", "The orchestrator's stream ended without a result."));
}

function usageOf(events: readonly AgentEvent[]): Pick<Observed, "calls" | "tokens"> {
  const all = events.reduce(
    (sum, event) => (event.type === "usage" ? addUsage(sum, event.usage) : sum),
    NO_USAGE,
  );
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = all;
  const tokens = inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
  return { calls: all.modelCalls, tokens };
}

const PPTX = /\.pptx$/i;

async function withDeck(
  { fetch, context }: RunTools,
  seen: ObservedTurn,
  artifacts: readonly ArtifactRef[],
): Promise<ObservedTurn> {
  const file = artifacts.findLast(({ name }) => PPTX.test(name));
  if (file === undefined) return seen;
  try {
    const deck = await readDeck(file.name, await download(file, fetch, context.interrupted));
    return { ...seen, deck };
  } catch (error) {
    context.interrupted.throwIfAborted();
    return { ...seen, outcome: "failed", error: toErrorInfo(error) };
  }
}

const TITLES: ReadonlySet<string> = new Set(["title", "ctrTitle"]);
/** The line that the presentation server adds to the notes of a slide. */
const UNVERIFIED = /^Not found in the sources: .*$/gm;

async function readDeck(name: string, bytes: Uint8Array): Promise<ObservedDeck> {
  const [{ lintDeck }, { readSlides }] = await Promise.all([
    import("@troupe/deck"),
    import("@troupe/retrieval"),
  ]);
  const slides = readSlides(bytes, name);
  const problems = await lintDeck(bytes);
  return {
    name,
    titles: slides.map(
      ({ shapes }) =>
        shapes.find((shape) => TITLES.has(shape.placeholder ?? "") || shape.name === "Title")?.text ?? "",
    ),
    charts: slides.reduce((sum, { charts }) => sum + charts, 0),
    unverified: slides.flatMap(({ number, notes }) =>
      (notes.match(UNVERIFIED) ?? []).map((line) => `slide ${number}: ${line}`),
    ),
    problems: problems.map(
      ({ slide, message }) => `${slide === undefined ? "" : `slide ${slide}: `}${message}`,
    ),
  };
}
