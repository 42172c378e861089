import type { Decision, Json, PendingCall } from "@troupe/stream";

import { clip } from "../text/clip.ts";

/** Decisions by call, exactly one each, or each problem as a sentence for the person who decided. */
export type CheckedDecisions =
  | { readonly ok: true; readonly decisions: ReadonlyMap<string, Decision> }
  | { readonly ok: false; readonly issues: readonly string[] };

/**
 * Checks decisions against the calls that wait. Nothing is guessed: every call needs exactly one, of a
 * known type, and none may be left over. Takes anything, as replies come from outside.
 */
export function checkDecisions(
  calls: readonly PendingCall[],
  decisions: readonly unknown[],
): CheckedDecisions {
  const issues: string[] = [];
  const waiting = new Map(calls.map((call) => [call.callId, call]));
  const decided = new Map<string, Decision>();
  for (const given of decisions.slice(0, calls.length + 1)) {
    const decision = readDecision(given);
    if (typeof decision === "string") {
      issues.push(decision);
    } else if (!waiting.has(decision.callId)) {
      issues.push(`No call ${quote(decision.callId)} waits for a decision.`);
    } else if (decided.has(decision.callId)) {
      issues.push(`The call ${quote(decision.callId)} was decided twice.`);
    } else {
      decided.set(decision.callId, decision);
    }
  }
  for (const { callId, tool } of calls) {
    if (!decided.has(callId)) issues.push(`The call ${quote(callId)} of ${tool} was not decided.`);
  }
  if (decisions.length > calls.length && issues.length === 0) {
    issues.push(`${decisions.length} decisions were given for ${calls.length} calls.`);
  }
  return issues.length === 0 ? { ok: true, decisions: decided } : { ok: false, issues };
}

function readDecision(given: unknown): Decision | string {
  if (typeof given !== "object" || given === null) return "A decision is { callId, type }.";
  const {
    callId,
    type,
    arguments: args,
    reason = "",
  } = given as {
    readonly [K in "callId" | "type" | "arguments" | "reason"]?: unknown;
  };
  if (typeof callId !== "string") return "A decision names its call as callId.";
  switch (type) {
    case "approve":
      return { callId, type };
    case "reject":
      if (typeof reason !== "string") return `The reason against the call ${quote(callId)} must be text.`;
      return { callId, type, reason };
    case "edit":
      if (args === undefined) return `The edit of the call ${quote(callId)} has no arguments.`;
      return { callId, type, arguments: args as Json };
    default:
      return `${quote(type)} is no decision about the call ${quote(callId)}; it is approve, edit or reject.`;
  }
}

function quote(value: unknown): string {
  return clip(JSON.stringify(value) ?? "nothing", 80);
}
