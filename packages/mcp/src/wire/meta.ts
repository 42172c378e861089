import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

/**
 * What travels in `_meta` of a `tools/call`, both ways, and the user in that of a `resources/read`. Keys with a slash are ours;
 * `traceparent` is the W3C name that MCP reserves.
 */
export const META = {
  runId: "troupe/runId",
  callId: "troupe/callId",
  agent: "troupe/agent",
  userId: "troupe/userId",
  collection: "troupe/collection",
  /** What is left of the caller's deadline, in milliseconds: a duration, as clocks differ. */
  deadlineMs: "troupe/deadlineMs",
  traceparent: "traceparent",
} as const;

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Longer ids than this are no ids. */
const MAX_ID = 256;

export interface CallMeta {
  readonly runId?: string;
  readonly callId?: string;
  readonly agent?: string;
  readonly userId?: string;
  readonly collectionId?: string;
  readonly deadlineMs?: number;
  readonly traceparent?: string;
}

/**
 * Reads what a caller sent along. Throws an `McpError` for a user or a collection that cannot be used: without
 * them the call would reach more than its caller asked for. Anything else that is malformed counts as absent.
 */
export function readMeta(meta: { readonly [key: string]: unknown } | undefined): CallMeta {
  const text = (key: string): string | undefined => {
    const value = meta?.[key];
    return typeof value === "string" && value.length > 0 && value.length <= MAX_ID ? value : undefined;
  };
  const usable = (key: string): string | undefined => {
    const value = text(key);
    if (value === undefined && meta?.[key] !== undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `_meta["${key}"] must be text of 1 to ${MAX_ID} characters. Leave it out to name none.`,
      );
    return value;
  };
  const runId = text(META.runId);
  const callId = text(META.callId);
  const agent = text(META.agent);
  const userId = usable(META.userId);
  const collectionId = usable(META.collection);
  const traceparent = text(META.traceparent);
  const deadlineMs = meta?.[META.deadlineMs];
  return {
    ...(runId !== undefined && { runId }),
    ...(callId !== undefined && { callId }),
    ...(agent !== undefined && { agent }),
    ...(userId !== undefined && { userId }),
    ...(collectionId !== undefined && { collectionId }),
    ...(traceparent !== undefined && TRACEPARENT.test(traceparent) && { traceparent }),
    ...(typeof deadlineMs === "number" && deadlineMs >= 0 && { deadlineMs }),
  };
}

/** The `_meta` object of a call. */
export function writeMeta(call: CallMeta): { [key: string]: string | number } {
  return {
    ...(call.runId !== undefined && { [META.runId]: call.runId }),
    ...(call.callId !== undefined && { [META.callId]: call.callId }),
    ...(call.agent !== undefined && { [META.agent]: call.agent }),
    ...(call.userId !== undefined && { [META.userId]: call.userId }),
    ...(call.collectionId !== undefined && { [META.collection]: call.collectionId }),
    ...(call.deadlineMs !== undefined && { [META.deadlineMs]: call.deadlineMs }),
    ...(call.traceparent !== undefined && { [META.traceparent]: call.traceparent }),
  };
}

/** On a link to a file: the id of the chart that the file shows. See `ToolOutput.chartFiles` in core. */
export const CHART_META = "troupe/chart";

/** On a link to a file: `FileRevision.of`. See `ToolOutput.revisions` in core. */
export const REVISION_META = "troupe/revisionOf";

/** On an image: its file name, for which MCP has no field. */
export const NAME_META = "troupe/name";

/** On a result: the text that an answer may use without a citation. See `ToolOutput.given` in core. */
export const GIVEN_META = "troupe/given";

/** On a tool: its calls of one round keep their order. See `Tool.ordered` in core. */
export const ORDERED_META = "troupe/ordered";
