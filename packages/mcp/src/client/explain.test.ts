import { describe, expect, it } from "vitest";

import { BreakerOpen } from "./call-policy.ts";
import { resolveConfig } from "./config.ts";
import { explain } from "./explain.ts";
import { LinkFailure, POLICY, type FailureKind } from "./failure.ts";

const config = resolveConfig({ name: "rag", url: "http://eva:pw@127.0.0.1:8095/mcp?key=secret" });

describe("a failure in words", () => {
  it.each(Object.keys(POLICY) as FailureKind[])(
    "%s names the server, its address and the tool, and no secret",
    (kind) => {
      const error = explain(new LinkFailure(kind, "DETAIL", { status: 418 }), config, "rag_search") as Error;
      expect(error.message).toContain('MCP server "rag" at http://127.0.0.1:8095/mcp');
      expect(error.message).toContain('"rag_search"');
      expect(error.message).toContain("DETAIL");
      expect(error.message).not.toMatch(/secret|pw/);
    },
  );

  it("says how to start what is not there", () => {
    const failure = new LinkFailure("unreachable", "ECONNREFUSED");
    const hinted = { ...config, startHint: "npm run troupe -- up" };
    expect(explain(failure, hinted, "x")).toMatchObject({
      message: expect.stringContaining("Start it with: npm run troupe -- up, or set its url."),
    });
    const child = resolveConfig({ name: "rag", command: "rag-mcp" });
    expect(explain(failure, child, "x")).toMatchObject({
      message: expect.stringContaining('at "rag-mcp" cannot be reached'),
    });
  });

  it("says when it will be tried again", () => {
    expect(explain(new BreakerOpen(1_500), config, undefined)).toMatchObject({
      code: "tool.unavailable",
      retryable: true,
      message: expect.stringContaining("so its tools are not known. Next try in 2 s."),
    });
  });

  it("leaves other errors as they are", () => {
    const error = new Error("x");
    expect(explain(error, config, "x")).toBe(error);
  });
});
