import { InputError } from "@troupe/core";
import type { Decision, Json, PendingCall } from "@troupe/stream";

import type { Workflow } from "@troupe/workflow";

import type { CliContext } from "./context.ts";
import { harmless, visibleJson } from "./render/harmless.ts";

/** What a person says to calls that wait, by flags: on some of them other arguments, on the rest one word. */
export interface Verdict {
  readonly rest?: { readonly type: "approve" } | { readonly type: "reject"; readonly reason: string };
  /** Arguments by the id of a call, or by the name of a tool that waits once. */
  readonly edits?: ReadonlyMap<string, Json>;
  /** What is to run in place of the plan that is asked about. */
  readonly workflow?: Workflow;
}

/**
 * One decision for each call: from the verdict, else by asking at the terminal. Nothing is approved
 * by silence. Undefined when nobody is there or the person leaves. Throws an `InputError` when the
 * verdict does not fit the calls.
 */
export async function decide(
  context: CliContext,
  calls: readonly PendingCall[],
  verdict: Verdict = {},
): Promise<readonly Decision[] | undefined> {
  const edits = new Map<string, Decision>();
  for (const [name, args] of verdict.edits ?? []) {
    const { callId } = callNamed(calls, name);
    edits.set(callId, { callId, type: "edit", arguments: args });
  }
  const open = calls.filter(({ callId }) => !edits.has(callId));
  const { rest } = verdict;
  if (rest === undefined && edits.size > 0 && open.length > 0 && context.ask === undefined)
    throw new InputError(
      "input.invalid",
      `Nothing is said of ${open.map(named).join(", ")}. Add --approve, --reject REASON or another --edit.`,
    );
  const others =
    rest === undefined
      ? await askDecisions(context, open)
      : open.map(({ callId }) => ({ callId, ...rest }) as const);
  if (others === undefined) return undefined;
  const decided = new Map<string, Decision>([...edits, ...others.map((one) => [one.callId, one] as const)]);
  return calls.flatMap(({ callId }) => decided.get(callId) ?? []);
}

async function askDecisions(
  context: CliContext,
  calls: readonly PendingCall[],
): Promise<readonly Decision[] | undefined> {
  if (calls.length === 0) return [];
  if (context.ask === undefined) return undefined;
  context.err(`\nThe run waits for a person to approve:\n${callLines(calls)}`);
  for (;;) {
    const said = await context.ask("Approve? (yes, no, edit): ", context.interrupted);
    switch (said?.trim().toLowerCase()) {
      case "yes":
      case "y":
        return calls.map(({ callId }) => ({ callId, type: "approve" }));
      case "edit":
      case "e":
        return askEdits(context, calls);
      case "no":
      case "n": {
        const reason = await context.ask("Why not? ", context.interrupted);
        return reason === undefined
          ? undefined
          : calls.map(({ callId }) => ({ callId, type: "reject", reason: reason.trim() }));
      }
      case undefined:
        return undefined;
      default:
        context.err("Type yes, no or edit; Ctrl-C leaves the run waiting.\n");
    }
  }
}

async function askEdits(
  context: CliContext,
  calls: readonly PendingCall[],
): Promise<readonly Decision[] | undefined> {
  const decisions: Decision[] = [];
  for (const { callId, tool } of calls) {
    for (;;) {
      const question = `Arguments of ${tool} as JSON (empty: as they are): `;
      const said = (await context.ask?.(harmless(question), context.interrupted))?.trim();
      if (said === undefined) return undefined;
      const args = said === "" ? undefined : readJson(said);
      if (said === "") decisions.push({ callId, type: "approve" });
      else if (args !== undefined) decisions.push({ callId, type: "edit", arguments: args });
      else {
        context.err("This is no JSON.\n");
        continue;
      }
      break;
    }
  }
  return decisions;
}

/** One line a call, as it would be made; with its id where the tool waits more than once. */
export function callLines(calls: readonly PendingCall[]): string {
  return calls
    .map((call) => {
      const id = calls.filter(({ tool }) => tool === call.tool).length > 1 ? ` (${call.callId})` : "";
      return harmless(`  ${call.tool} ${visibleJson(call.arguments)}${id}\n`);
    })
    .join("");
}

/** `call=json` pairs of `--edit`. */
export function parseEdits(pairs: readonly string[]): ReadonlyMap<string, Json> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const args = readJson(pair.slice(at + 1));
      if (at < 1 || args === undefined)
        throw new InputError(
          "input.invalid",
          `--edit ${JSON.stringify(pair)} is not of the form CALL=JSON, such as send_mail={"to":"ann@example.com"}.`,
        );
      return [pair.slice(0, at), args];
    }),
  );
}

function callNamed(calls: readonly PendingCall[], name: string): PendingCall {
  const byId = calls.find(({ callId }) => callId === name);
  const [only, ...others] = byId === undefined ? calls.filter(({ tool }) => tool === name) : [byId];
  if (only !== undefined && others.length === 0) return only;
  const which =
    only === undefined
      ? `No call "${name}" waits; these do: ${calls.map(named).join(", ")}.`
      : `Several calls of "${name}" wait. Name one by its id: ${[only, ...others].map(named).join(", ")}.`;
  throw new InputError("input.invalid", which);
}

const named = ({ tool, callId }: PendingCall): string => `${tool} (${callId})`;

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
