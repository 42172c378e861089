import { newTrace, readTrace, type TraceContext } from "@troupe/core";
import type { ServerCallContext } from "@a2a-js/sdk/server";

import { headerOf, type Incoming } from "./step.ts";

const KEY = "troupe.trace";

/** Keeps in which trace a call came; one that came in none begins a trace. */
export function setTrace(context: ServerCallContext, req: Incoming): void {
  setTraceOf(context, headerOf(req, "traceparent"), headerOf(req, "tracestate"));
}

export function setTraceOf(
  context: ServerCallContext,
  traceparent: string | undefined,
  tracestate: string | undefined,
): void {
  context.state.set(KEY, readTrace(traceparent, tracestate) ?? newTrace());
}

export function traceOf(context: ServerCallContext): TraceContext | undefined {
  return context.state.get(KEY) as TraceContext | undefined;
}
