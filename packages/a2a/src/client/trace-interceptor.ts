import { ClientCallContextKey, type CallInterceptor } from "@a2a-js/sdk/client";
import { newTrace, nextSpan, traceparentOf, type TraceContext } from "@troupe/core";

/** The trace that a call is made in, where it is made in one. */
export const traceKey = new ClientCallContextKey<TraceContext>("troupe.trace");

const DONE = Promise.resolve();

/**
 * Tells each agent in which trace it is called: the trace of whoever calls, and a span of its own for
 * every request. It is the one place that does so; where the headers of a call name a trace already,
 * that is another's doing and stays, as two would split the trace.
 */
export const traceInterceptor: CallInterceptor = {
  before(args) {
    const { options = {} } = args;
    const parameters = { ...options.serviceParameters };
    if (Object.keys(parameters).some((name) => name.toLowerCase() === "traceparent")) return DONE;
    const within = traceKey.get(options.context ?? {});
    const trace = within === undefined ? newTrace() : nextSpan(within);
    parameters["traceparent"] = traceparentOf(trace);
    if (trace.state !== undefined) parameters["tracestate"] = trace.state;
    args.options = { ...options, serviceParameters: parameters };
    return DONE;
  },
  // Called for each event of a stream.
  after: () => DONE,
};
