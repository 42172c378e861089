import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";

import { fromStatus, toFailure } from "./classify.ts";
import { LinkFailure } from "./failure.ts";

const system = (code: string): Error => Object.assign(new Error(code), { code });

describe("what went wrong", () => {
  it.each([
    ["a refused connection", new TypeError("fetch failed", { cause: system("ECONNREFUSED") }), "unreachable"],
    [
      "a name with two addresses, both refused",
      new TypeError("fetch failed", { cause: new AggregateError([system("ECONNREFUSED")]) }),
      "unreachable",
    ],
    ["an unknown name", new TypeError("fetch failed", { cause: system("ENOTFOUND") }), "unreachable"],
    ["a closed connection", new Error("Not connected"), "unreachable"],
    ["a reset", new TypeError("fetch failed", { cause: system("ECONNRESET") }), "lost"],
    ["a fetch that failed for no known reason", new TypeError("fetch failed"), "lost"],
    ["a stream that ended", new TypeError("terminated"), "lost"],
    ["a request taken off the wire", new DOMException("x", "AbortError"), "lost"],
    ["a connection that closed", new McpError(-32000, "Connection closed"), "lost"],
    ["a broken stream's error answer", new McpError(-32000, "x", { "troupe/failure": "lost" }), "lost"],
    ["a too large answer", new McpError(-32000, "x", { "troupe/failure": "too-large" }), "too-large"],
    ["a command that is not there", system("ENOENT"), "not-startable"],
    ["an error answer", new McpError(-32602, "bad"), "rejected"],
    ["an answer that is no MCP", new SyntaxError("Unexpected token"), "rejected"],
    ["what is no error at all", "x", "rejected"],
  ])("%s", (_what, error, kind) => {
    expect(toFailure(error).kind).toBe(kind);
  });

  it("is kept when it is already known", () => {
    const failure = new LinkFailure("busy", "x");
    expect(toFailure(failure)).toBe(failure);
  });

  it("keeps the words of an error answer, without the SDK's prefix", () => {
    expect(toFailure(new McpError(-32602, "no such cursor")).detail).toBe("no such cursor");
  });

  it.each([
    [404, "", true, "session-lost"],
    [404, "", false, "refused"],
    [400, "Bad Request: No valid session ID provided", true, "session-lost"],
    [400, "Bad Request: Server not initialized", true, "session-lost"],
    [400, "bad arguments", true, "refused"],
    [401, "", true, "refused"],
    [429, "", true, "busy"],
    [500, "", true, "server-error"],
    [503, "", true, "server-error"],
  ])("HTTP %i %j, in a session: %s", (status, body, hadSession, kind) => {
    expect(fromStatus(status, body, hadSession)).toMatchObject({ kind, status, detail: `HTTP ${status}` });
  });
});
