import { ENDINGS, type CaptureRecord } from "./capture-record.ts";
import { parseJson, recordOf, stringOf } from "../wire/json.ts";

/** A record as a line of a capture file. */
export function captureLine(record: CaptureRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Reads a line of a capture file; undefined for one that is no record, such as half a line. */
export function readCaptureLine(line: string): CaptureRecord | undefined {
  const value = recordOf(parseJson(line));
  if (value === undefined) return undefined;
  if (value["kind"] === "a2a-capture") {
    if (value["v"] !== 1) return undefined;
    const { url, endpoint, protocol, binding, agent, question, startedAt } = value;
    return {
      v: 1,
      kind: "a2a-capture",
      url: stringOf(url),
      endpoint: stringOf(endpoint),
      protocol: stringOf(protocol),
      binding: binding === "HTTP+JSON" ? binding : "JSONRPC",
      agent: stringOf(agent),
      question: stringOf(question),
      startedAt: stringOf(startedAt),
    };
  }
  const { t, raw, bytes, from, status, event, cut, unterminated, error } = value;
  if (!isCount(t)) return undefined;
  const end = ENDINGS.find((ending) => ending === value["end"]);
  if (end !== undefined) return { t, end, ...(typeof error === "string" ? { error } : {}) };
  if (typeof raw !== "string" || !isCount(bytes)) return undefined;
  return {
    t,
    raw,
    bytes,
    ...(from === "send" || from === "poll" ? { from } : {}),
    ...(isCount(status) ? { status } : {}),
    ...(typeof event === "string" ? { event } : {}),
    ...(cut === true ? { cut } : {}),
    ...(unterminated === true ? { unterminated } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
