import type { Json, ToolStatus } from "@troupe/stream";

import { limitPrices } from "../config/prices.ts";
import { isAccessError } from "../errors/access-error.ts";
import { isTroupeError } from "../errors/troupe-error.ts";
import { sharedLimitsLeft } from "../middleware/budget.ts";
import type { ModelToolCall, ModelToolResult } from "../ports/model.ts";
import type { Tool, ToolContext, ToolOutput } from "../ports/tool.ts";
import { firstLine } from "../text/clip.ts";
import type { RefusedCall, RunnableCall } from "./admit-calls.ts";
import { evidenceOf } from "./check-answer.ts";
import { MAX_SUMMARY } from "./evidence.ts";
import { callKey } from "./repeated-calls.ts";
import type { Run } from "./run.ts";

interface Execution {
  readonly call: ModelToolCall;
  readonly args: Json;
  readonly note: string;
  /** Undefined where the call is refused. */
  readonly tool: Tool | undefined;
  startedAt: number;
  output: ToolOutput | undefined;
}

/**
 * Runs the calls of a round and returns what the model is told of each, in their order. They run at
 * once, except that ordered tools keep their order among themselves: slides are added as they were
 * written, and saved after that.
 * A tool that throws is an error the model reads. Rejects only when the run is cut short; calls
 * that still ran then are told to stop by the signal, ended as canceled, and not waited for.
 */
export async function runTools(
  run: Run,
  calls: readonly (RunnableCall | RefusedCall)[],
): Promise<readonly ModelToolResult[]> {
  let before: Promise<unknown> | undefined;
  const started = calls.map((admitted) => {
    const ordered = admitted.to === "run" && admitted.tool.ordered === true;
    const one = start(run, admitted, ordered ? before : undefined);
    if (ordered) before = one.done;
    return one;
  });
  try {
    await run.interrupt.race(Promise.all(started.flatMap(({ done }) => done ?? [])));
  } catch (error) {
    for (const { execution } of started) {
      if (execution.output !== undefined) continue;
      execution.output = { text: "canceled", isError: true };
      end(run, execution, "canceled", "Canceled.");
    }
    throw error;
  }
  // All of them first: a call may read what another one of the round wrote.
  for (const { execution, done } of started) if (done !== undefined) run.evidence.wrote(execution.args);
  return started.map(({ execution }) => resultOf(run, execution));
}

function resultOf(run: Run, { call, args, output, note, tool }: Execution): ModelToolResult {
  const { callId, name } = call;
  const found = output === undefined ? "" : run.evidence.add(name, output);
  const isError = output?.isError ?? false;
  const text = `${note}${found}`;
  if (isError) {
    const more = run.repeats.failed(callKey(name, args), callId, found);
    return { callId, name, text: `${text}${more}`, isError };
  }
  if (tool?.annotations?.readOnly === true) run.repeats.succeeded(callKey(name, args), callId, text);
  else run.repeats.changed();
  const images = run.images.take(output?.images ?? []);
  return { callId, name, text, isError, ...(images.length === 0 ? {} : { images }) };
}

/** Ends calls that are not to be run; `why` is told to the model and to people. */
export function skipTools(
  run: Run,
  calls: readonly ModelToolCall[],
  why: string,
): readonly ModelToolResult[] {
  return calls.map((call) => {
    run.emit({ type: "tool-start", callId: call.callId, tool: call.name, arguments: call.arguments });
    const startedAt = run.options.clock.now();
    end(run, { call, startedAt }, "not-run", summarize(why));
    return { callId: call.callId, name: call.name, text: why, isError: true };
  });
}

function start(
  run: Run,
  admitted: RunnableCall | RefusedCall,
  after?: Promise<unknown>,
): { readonly execution: Execution; readonly done: Promise<void> | undefined } {
  const { call, args } = admitted;
  run.emit({ type: "tool-start", callId: call.callId, tool: call.name, arguments: args });
  const note = admitted.to === "run" && admitted.note !== undefined ? `${admitted.note}\n\n` : "";
  const tool = admitted.to === "run" ? admitted.tool : undefined;
  const startedAt = run.options.clock.now();
  const execution: Execution = { call, args, note, tool, startedAt, output: undefined };
  if (admitted.to === "run") return { execution, done: execute(run, execution, admitted, after) };
  execution.output = { text: admitted.text, isError: true };
  end(run, execution, "not-run", summarize(admitted.text));
  return { execution, done: undefined };
}

async function execute(
  run: Run,
  execution: Execution,
  { tool, args }: RunnableCall,
  after?: Promise<unknown>,
): Promise<void> {
  if (after !== undefined) {
    await after;
    // Cut short while it waited its turn.
    if (execution.output !== undefined) return;
    execution.startedAt = run.options.clock.now();
  }
  let output: ToolOutput;
  let summary: string;
  try {
    output = await tool.execute(args, contextOf(run, execution.call));
    summary = summarize(output.summary ?? output.text);
  } catch (error) {
    if (isAccessError(error)) run.lacking.push(error.access);
    output = { text: describeFailure(run, execution.call.name, error), isError: true };
    summary = summarize(output.text);
  }
  // Canceled meanwhile: its end has been reported.
  if (execution.output !== undefined) return;
  execution.output = output;
  end(run, execution, output.isError === true ? "error" : "ok", summary);
  for (const used of output.usage ?? []) run.delegatedUsage(used);
  for (const artifact of output.artifacts ?? []) run.emit({ type: "artifact", artifact });
}

function end(
  run: Run,
  { call, startedAt }: Pick<Execution, "call" | "startedAt">,
  status: ToolStatus,
  summary: string,
): void {
  run.calls.push({ tool: call.name, status });
  const ms = Math.max(0, run.options.clock.now() - startedAt);
  run.emit({ type: "tool-end", callId: call.callId, tool: call.name, status, summary, ms });
}

function contextOf(run: Run, call: ModelToolCall): ToolContext {
  const { config, model } = run.options;
  const limitsLeft =
    run.workflows === undefined ? undefined : sharedLimitsLeft(run, limitPrices(model, config.prices));
  const depth = run.request.delegation?.depth;
  return {
    runId: run.request.runId,
    callId: call.callId,
    agent: run.options.config.name,
    signal: run.signal,
    shared: run.shared,
    citations: run.evidence.citations,
    charts: run.evidence.charts,
    tables: run.evidence.tables,
    wasShown: (text) => wasShown(run, text),
    evidence: () => evidenceOf(run),
    given: run.written,
    ...(run.userId === undefined ? {} : { userId: run.userId }),
    ...(run.collectionId === undefined ? {} : { collectionId: run.collectionId }),
    ...(run.request.trace === undefined ? {} : { trace: run.request.trace }),
    ...(run.workflows === undefined ? {} : { workflows: run.workflows }),
    ...(depth === undefined ? {} : { depth }),
    ...(limitsLeft === undefined ? {} : { limitsLeft }),
    log: run.options.log,
  };
}

/** Looks only at the messages sent last: compaction may have shortened earlier results. */
function wasShown({ sent }: Run, text: string): boolean {
  return sent.some(
    (message) => message.role === "tool" && message.results.some((result) => result.text.includes(text)),
  );
}

/** One line for people; a heading comes with the first entry of its list. */
function summarize(text: string): string {
  return firstLine(text.replace(/:\n- /, ": "), MAX_SUMMARY);
}

/** Our own errors say what to do; of any other only the log learns more. */
function describeFailure(run: Run, tool: string, error: unknown): string {
  if (isTroupeError(error)) return error.message;
  run.options.log.error("tool failed", { tool, runId: run.request.runId, error });
  return `${tool} failed unexpectedly. Try other arguments or another way.`;
}
