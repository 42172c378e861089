import { newTrace, readTrace, type TraceContext } from "@troupe/core";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import type { Request } from "express";

const KEY = "troupe.trace";

/** Keeps in which trace a call came; one that came in none begins a trace. */
export function setTrace(context: ServerCallContext, req: Request): void {
  context.state.set(KEY, readTrace(req.header("traceparent"), req.header("tracestate")) ?? newTrace());
}

export function traceOf(context: ServerCallContext): TraceContext | undefined {
  return context.state.get(KEY) as TraceContext | undefined;
}
