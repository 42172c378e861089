import { createHash } from "node:crypto";

import type { InputRequest, Json, PendingCall } from "@troupe/stream";

import type { DagSpec } from "../schema/spec.ts";

/** What a run asks whose plan waits for a person's word; `$` stands in no step id. */
export const PLAN_REQUEST = "$plan";

/** The plan as a call that waits: approved, rejected with a reason, or edited into another workflow. */
export const PLAN_TOOL = "run_workflow";

/** Names a plan by what it is: whoever approves this one approves no other. */
export function planHash(spec: DagSpec): string {
  return `plan-${createHash("sha256").update(canonical(spec)).digest("hex").slice(0, 32)}`;
}

/**
 * @param workflow as people write it; an edit is handed in in the same form
 * @param requestId of the plan, or of steps that are added to it
 */
export function planRequest(spec: DagSpec, workflow: Json, requestId: string = PLAN_REQUEST): InputRequest {
  const call = { callId: planHash(spec), tool: PLAN_TOOL, arguments: workflow };
  return { requestId, kind: "approval", calls: [call] };
}

/** Id of the request to approve the steps that the n-th plan adds; the first revision is plan 2. */
export const revisionRequestId = (n: number): string => `${PLAN_REQUEST}.${n}`;

/** Whether the request is about steps that are added to a plan. */
export const isRevisionRequest = (requestId: string): boolean => requestId.startsWith(`${PLAN_REQUEST}.`);

/** Whether the request is about a plan, or about steps that are added to it. */
export const isPlanRequest = (requestId: string): boolean =>
  requestId === PLAN_REQUEST || isRevisionRequest(requestId);

/** The plan that is asked about, or the steps that are added to it; undefined where something else is. */
export function planIn(request: InputRequest): PendingCall | undefined {
  return isPlanRequest(request.requestId) && request.kind === "approval" ? request.calls[0] : undefined;
}

/** The same text for the same value, in whatever order its keys were kept. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
