import type { Json } from "@troupe/stream";

import { fold } from "../middleware/hooks.ts";
import type { Filled, ProposedCall, Verdict } from "../middleware/middleware.ts";
import type { ModelToolCall } from "../ports/model.ts";
import type { Tool } from "../ports/tool.ts";
import { checkCall, type ToolRegistry } from "../tools/tool-registry.ts";
import { callKey } from "./repeated-calls.ts";
import type { Run } from "./run.ts";

/** A call that is to run, with the arguments that its tool accepted. */
export interface RunnableCall {
  readonly call: ModelToolCall;
  readonly to: "run";
  readonly tool: Tool;
  readonly args: Json;
  /** What the model has to know about it, in front of the result. */
  readonly note?: string;
}

/** A call that is not; `text` is told to the model. */
export interface RefusedCall {
  readonly call: ModelToolCall;
  readonly to: "refuse";
  readonly text: string;
  readonly args: Json;
}

export type AdmittedCall =
  | RunnableCall
  | RefusedCall
  /** A person decides first. */
  | (Omit<RunnableCall, "to" | "note"> & { readonly to: "ask" })
  /** Its tool keeps the order, and one before it waits for a person. */
  | (Omit<RunnableCall, "to" | "note"> & { readonly to: "hold" });

export const canRun = (one: AdmittedCall): one is RunnableCall | RefusedCall =>
  one.to === "run" || one.to === "refuse";

/**
 * What is to become of each call of a round: found, filled in, checked by its tool, judged. At once,
 * unless a hook makes it wait.
 *
 * @param notes notes for the model about how its calls were read, by call id
 */
export function admitCalls(
  run: Run,
  registry: ToolRegistry,
  calls: readonly ModelToolCall[],
  notes?: ReadonlyMap<string, string>,
): readonly AdmittedCall[] | Promise<readonly AdmittedCall[]> {
  const admitted = calls.map((call) => admit(run, registry, call, notes?.get(call.callId)));
  const atOnce = admitted.filter((one): one is AdmittedCall => !(one instanceof Promise));
  return atOnce.length === admitted.length
    ? atOnce
    : Promise.all(admitted.map((one) => Promise.resolve(one)));
}

/**
 * The verdict on a call that its tool accepted; undefined where nobody minds. A refusal wins wherever
 * it stands: no person is asked about, or can allow, what a rule forbids.
 */
export function judge(run: Run, proposed: ProposedCall): Verdict | undefined | Promise<Verdict | undefined> {
  return fold<Run["hooks"]["beforeTool"][number], Verdict | undefined>(
    run.hooks.beforeTool,
    undefined,
    (hook, so) => {
      if (typeof so === "object") return so;
      const verdict = hook(proposed, run);
      return verdict instanceof Promise ? verdict.then((given) => given ?? so) : (verdict ?? so);
    },
  );
}

function admit(
  run: Run,
  registry: ToolRegistry,
  call: ModelToolCall,
  note?: string,
): AdmittedCall | Promise<AdmittedCall> {
  const found = registry.find(call);
  if (!found.ok) return { call, to: "refuse", text: found.text, args: found.args };
  const { tool, args } = found;
  const notes = note === undefined || found.note === undefined ? note : `${note}\n${found.note}`;
  const written: Written = { call, tool, args, note: notes ?? found.note ?? "" };
  const filled = fill(run, { callId: call.callId, tool, arguments: args });
  if (filled instanceof Promise) return filled.then((so) => check(run, written, so));
  return check(run, written, filled);
}

/** A parsed call and the note for the model about how it was read. */
interface Written {
  readonly call: ModelToolCall;
  readonly tool: Tool;
  readonly args: Json;
  readonly note: string;
}

function fill(run: Run, proposed: ProposedCall): Filled | Promise<Filled> {
  const { tool, callId, arguments: args } = proposed;
  return fold<Run["hooks"]["fillArguments"][number], Filled>(
    run.hooks.fillArguments,
    { arguments: args },
    (hook, so) => {
      if ("refuse" in so) return so;
      const next = hook({ callId, tool, arguments: so.arguments }, run);
      return next instanceof Promise ? next.then((given) => given ?? so) : (next ?? so);
    },
  );
}

function check(
  run: Run,
  { call, tool, args: written, note }: Written,
  filled: Filled,
): AdmittedCall | Promise<AdmittedCall> {
  if ("refuse" in filled) return { call, to: "refuse", text: filled.refuse, args: written };
  const checked = checkCall(tool, filled.arguments);
  if (!checked.ok) {
    const text = note === "" ? checked.text : `${checked.text}\n${note}`;
    return { call, to: "refuse", text, args: checked.args };
  }
  const { args } = checked;
  const repeated = refuseRepeated(run, tool, args);
  if (repeated !== undefined) return { call, to: "refuse", text: repeated, args };
  const admitted = (verdict: Verdict | undefined): AdmittedCall => {
    if (verdict === undefined) {
      countRun(run, call, tool, args);
      return { call, to: "run", tool, args, ...(note === "" ? {} : { note }) };
    }
    return verdict === "ask"
      ? { call, to: "ask", tool, args }
      : { call, to: "refuse", text: verdict.refuse, args };
  };
  const verdict = judge(run, { callId: call.callId, tool, arguments: args });
  return verdict instanceof Promise ? verdict.then(admitted) : admitted(verdict);
}

function refuseRepeated(run: Run, tool: Tool, args: Json): string | undefined {
  if (tool.annotations?.readOnly !== true) return undefined;
  return run.repeats.refusal(callKey(tool.definition.name, args), run.sent);
}

function countRun(run: Run, { callId }: ModelToolCall, tool: Tool, args: Json): void {
  if (tool.annotations?.readOnly !== true) return;
  run.repeats.begin(callKey(tool.definition.name, args), run.iteration, callId);
}

/** An ordered call never overtakes one that waits for a person. */
export function holdBack(calls: readonly AdmittedCall[]): readonly AdmittedCall[] {
  const first = calls.findIndex((one) => one.to === "ask" && one.tool.ordered === true);
  if (first === -1) return calls;
  return calls.map((one, index) =>
    index > first && one.to === "run" && one.tool.ordered === true
      ? { call: one.call, to: "hold", tool: one.tool, args: one.args }
      : one,
  );
}
