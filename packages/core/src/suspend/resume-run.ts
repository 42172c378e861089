import type { Decision, Json, PendingCall } from "@troupe/stream";

import { toErrorInfo } from "../errors/error-info.ts";
import { InputError } from "../errors/input-error.ts";
import { admitCalls, canRun, holdBack, judge, type AdmittedCall } from "../loop/admit-calls.ts";
import { askAccess } from "../loop/ask-access.ts";
import { askApproval } from "../loop/ask-approval.ts";
import type { Ending } from "../loop/ending.ts";
import { runTools } from "../loop/run-tools.ts";
import type { Run } from "../loop/run.ts";
import type { ModelToolCall, ModelToolResult } from "../ports/model.ts";
import type { SuspendedRun } from "../ports/suspended-runs.ts";
import { clip } from "../text/clip.ts";
import { checkCall, FINISH_TOOL, type ToolRegistry } from "../tools/tool-registry.ts";
import type { Reply } from "./read-reply.ts";

const MAX_SHOWN = 2_000;
const CHANGED =
  "This is no longer the call that was approved, because its tool or its file changed meanwhile. Nothing was done; call it again if it is still needed.";
const NOT_FILLED = "The form was not filled in. What the person wrote instead follows.";

/** Asks the same again, with a sentence on what was wrong; unless it has its answer by now. */
export async function askOnceMore(run: Run, found: SuspendedRun, issues: readonly string[]): Promise<Ending> {
  const taken = await claim(run, found);
  if (taken !== undefined) return taken;
  const { requestId: _, ...ask } = found.request;
  const error = toErrorInfo(new InputError("input.invalid", issues.join(" "), { issues }));
  return { outcome: "input-required", ask, error };
}

/**
 * Takes a suspended run up again: the answer goes to the model, what was approved runs. An ending when
 * there is something left to ask; otherwise the loop goes on.
 */
export async function resumeRun(
  run: Run,
  registry: ToolRegistry,
  found: SuspendedRun,
  reply: Exclude<Reply, { kind: "again" }>,
): Promise<Ending | undefined> {
  if (reply.kind === "decided") return decide(run, registry, found, reply.decisions);
  const taken = await claim(run, found);
  if (taken !== undefined) return taken;
  const words = reply.kind === "words" ? reply.text : undefined;
  const said = words === undefined ? reply.text : NOT_FILLED;
  const open = openCalls(run).find((call) => call.name === FINISH_TOOL);
  if (open === undefined) {
    run.messages.push({ role: "user", text: reply.text });
    return undefined;
  }
  settle(run, [{ callId: open.callId, name: open.name, text: said, isError: false }]);
  if (words !== undefined) run.messages.push({ role: "user", text: words });
  return undefined;
}

async function decide(
  run: Run,
  registry: ToolRegistry,
  found: SuspendedRun,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Ending | undefined> {
  const shown = found.request.kind === "approval" ? found.request.calls : [];
  const edits = await readEdits(run, registry, decisions);
  if ("issues" in edits) return askOnceMore(run, found, [...edits.issues, "Nothing has run."]);
  // Before anything runs: whatever happens from here on, an approval is good for once.
  const taken = await claim(run, found);
  if (taken !== undefined) return taken;
  run.tellAnswerAgain();
  const judged = await run.interrupt.race(Promise.resolve(admitCalls(run, registry, openCalls(run))));
  const decided = judged.map((one) => {
    const { callId } = one.call;
    const decision = decisions.get(callId);
    if (decision === undefined) return one;
    return (
      edits.calls.get(callId) ??
      asDecided(
        one,
        decision,
        shown.find((call) => call.callId === callId),
      )
    );
  });
  const admitted = holdBack(decided);
  const results = await runTools(run, admitted.filter(canRun));
  const waiting = admitted.filter((one) => one.to === "ask");
  if (waiting.length === 0) {
    settle(run, results);
    return askAccess(run);
  }
  run.results = [...run.results, ...results];
  return askApproval(waiting);
}

/** The call that runs is the call that was shown; what a rule refuses meanwhile stays refused. */
function asDecided(one: AdmittedCall, decision: Decision, shown: PendingCall | undefined): AdmittedCall {
  const { call } = one;
  if (decision.type === "reject") {
    const why = decision.reason.trim() === "" ? "they gave no reason" : decision.reason;
    return {
      call,
      to: "refuse",
      text: `The person rejected this call: ${why}`,
      args: shown?.arguments ?? null,
    };
  }
  if (one.to === "refuse") return one;
  const { tool, args } = one;
  const same = JSON.stringify(args) === JSON.stringify(shown?.arguments);
  return same ? { call, to: "run", tool, args } : { call, to: "refuse", text: CHANGED, args };
}

type Edits = { readonly calls: ReadonlyMap<string, AdmittedCall> } | { readonly issues: readonly string[] };

/** Edited arguments are checked by the tool, and by every rule, before anything runs. */
async function readEdits(
  run: Run,
  registry: ToolRegistry,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Edits> {
  const calls = new Map<string, AdmittedCall>();
  const issues: string[] = [];
  for (const call of openCalls(run)) {
    const decision = decisions.get(call.callId);
    if (decision?.type !== "edit") continue;
    const edited = await readEdit(run, registry, call, decision.arguments);
    if (typeof edited === "string") issues.push(edited);
    else calls.set(call.callId, edited);
  }
  return issues.length === 0 ? { calls } : { issues };
}

async function readEdit(
  run: Run,
  registry: ToolRegistry,
  call: ModelToolCall,
  edited: Json,
): Promise<AdmittedCall | string> {
  const found = registry.find({ ...call, arguments: "" });
  const checked = found.ok ? checkCall(found.tool, edited) : found;
  if (!checked.ok) return checked.text;
  const { tool, args } = checked;
  const proposed = { callId: call.callId, tool, arguments: args };
  const verdict = await run.interrupt.race(Promise.resolve(judge(run, proposed)));
  if (typeof verdict === "object") return verdict.refuse;
  const note = `The person changed the arguments of this call to ${clip(JSON.stringify(args), MAX_SHOWN)} before it ran.`;
  return { call, to: "run", tool, args, note };
}

/** Calls of the last message that have no result yet. */
function openCalls(run: Run): readonly ModelToolCall[] {
  const last = run.messages.at(-1);
  if (last?.role !== "assistant") return [];
  const known = new Set(run.results.map((result) => result.callId));
  return last.toolCalls.filter((call) => !known.has(call.callId));
}

/** All results of the round are known: they go behind the calls, in their order. */
function settle(run: Run, results: readonly ModelToolResult[]): void {
  const all = new Map([...run.results, ...results].map((result) => [result.callId, result]));
  const last = run.messages.at(-1);
  const calls = last?.role === "assistant" ? last.toolCalls : [];
  run.messages.push({ role: "tool", results: calls.flatMap((call) => all.get(call.callId) ?? []) });
  run.results = [];
}

/**
 * Of two replies at once one takes the run up; the other ends with this. So does one that comes late:
 * what waits by then is another question.
 */
async function claim(run: Run, found: SuspendedRun): Promise<Ending | undefined> {
  const { suspended } = run.options;
  const waiting = await suspended.load(run.runId);
  const same = waiting?.request.requestId === found.request.requestId;
  if (same && (await suspended.forget(run.runId))) return undefined;
  const error = new InputError(
    "input.unsupported",
    "What was asked here has been answered already. Wait for what comes of it, or ask for the work again.",
  );
  return { outcome: "failed", error: toErrorInfo(error) };
}
