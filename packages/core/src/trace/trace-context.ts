import { randomHex } from "../adapters/random-hex.ts";

/** Where in which trace a call stands: W3C Trace Context, https://www.w3.org/TR/trace-context/. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, the same from the first call to the last. */
  readonly traceId: string;
  /** 16 of them: the call itself. */
  readonly spanId: string;
  /** Two of them; `01` where somebody records it. */
  readonly flags: string;
  /** `tracestate`, handed on as it came. */
  readonly state?: string;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** What every implementation hands on; a longer one is left out rather than cut. */
const MAX_STATE = 512;

/** Reads `traceparent` and `tracestate`; undefined for what breaks the rules, and a new trace then begins. */
export function readTrace(traceparent: string | undefined, tracestate?: string): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    PARENT.exec(traceparent?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const state = tracestate?.trim() ?? "";
  const kept = state !== "" && state.length <= MAX_STATE && /^[\x20-\x7e]+$/.test(state);
  return { traceId, spanId, flags, ...(kept ? { state } : {}) };
}

export function traceparentOf({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** A trace that begins here. */
export function newTrace(): TraceContext {
  return { traceId: randomHex(16), spanId: randomHex(8), flags: "01" };
}

/** A call made within another: the same trace, a span of its own. */
export function nextSpan(trace: TraceContext): TraceContext {
  return { ...trace, spanId: randomHex(8) };
}
