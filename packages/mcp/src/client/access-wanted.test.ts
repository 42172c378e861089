import { McpError, UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";

import { toFailure } from "./classify.ts";
import { explain } from "./explain.ts";

const config = { name: "files", url: "http://127.0.0.1:1/mcp" } as never;
const asked = (error: unknown): unknown => explain(toFailure(error), config, "read_file");

describe("a server that wants a person to visit an address first", () => {
  it("has its tool ask for access there", () => {
    const elicitation = {
      mode: "url",
      url: "https://files.example/grant",
      message: "Sign in.",
      elicitationId: "1",
    };
    expect(asked(new UrlElicitationRequiredError([elicitation as never]))).toMatchObject({
      code: "tool.needs-access",
      access: { service: "files", url: "https://files.example/grant" },
    });
  });

  it.each([undefined, {}, { elicitations: 3 }, { elicitations: [null, { url: 3 }] }])(
    "has it ask without an address when it names none: %j",
    (data) => {
      const error = asked(new McpError(-32042, "x", data));
      expect(error).toMatchObject({ code: "tool.needs-access", access: { service: "files" } });
      expect(error).not.toHaveProperty("access.url");
    },
  );

  it("is not taken for one that merely refuses", () => {
    expect(asked(new McpError(-32602, "bad"))).toMatchObject({ code: "tool.failed" });
  });
});
