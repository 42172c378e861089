import { describe, expect, it } from "vitest";

import { replyText } from "./reply-text.ts";

describe("a reply in words", () => {
  it("names each field, and of a foreign agent's question says only the answer", () => {
    expect(replyText({ requestId: "r", values: { year: 2026, tags: ["a", "b"], note: null } })).toBe(
      "year: 2026\ntags: a, b\nnote: ",
    );
    expect(replyText({ requestId: "r", values: { reply: "Oslo" } })).toBe("Oslo");
  });

  it("says what was decided", () => {
    const decisions = [
      { callId: "c1", type: "approve" },
      { callId: "c2", type: "reject", reason: "too much" },
    ] as const;
    expect(replyText({ requestId: "r", decisions })).toBe("c1: approve\nc2: reject (too much)");
  });
});
