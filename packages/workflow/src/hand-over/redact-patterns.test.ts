import { expect, it } from "vitest";

import { redactPatterns } from "./redact-patterns.ts";

const at = { from: "a", to: { step: "b", agent: "c" } };

it.each([
  ["Ask jane.doe+x@mail.norrvik.se, please.", "Ask [e-mail], please."],
  ["Iban DE89 3704 0044 0532 0130 00", "Iban [number]"],
  ["IBAN: DE89370400440532013000.", "IBAN: [number]."],
  ["GB29\u00a0NWBK\u00a06016\u00a01331\u00a09268\u00a019", "[number]"],
  ["card 4111\u00a01111\u00a01111\u00a01111", "card [number]"],
  ["card 4111\u202f1111\u202f1111\u202f1111", "card [number]"],
  ["card 4111\u20131111\u20131111\u20131111", "card [number]"],
  ["card 4111\u20111111\u20111111\u20111111", "card [number]"],
  ["card 4111.1111.1111.1111, please", "card [number], please"],
  ["Tel.070.123.45.67 or 070\u00a0\u2013\u00a0123 45 67", "Tel.[number] or 070\u00a0\u2013\u00a0123 45 67"],
  ["+46 (0)70 123 45 67", "+46 (0)70 123 45 67".replace("(0)70 123 45 67", "[number]")],
  ["1.234.567.890 and 84.800.000,50 EUR", "1.234.567.890 and 84.800.000,50 EUR"],
  ["On 12.10.2025 in version 1.12.3", "On 12.10.2025 in version 1.12.3"],
  ["THE AB12 TEST HAS FOUR WORD TEXT", "THE AB12 TEST HAS FOUR WORD TEXT"],
  ["call +46 70 123 45 67 now", "call [number] now"],
  ["card 4111-1111-1111-1111.", "card [number]."],
  [
    "EUR 84,800,000 in 2025, 12345678 units, 0.1234567890",
    "EUR 84,800,000 in 2025, 12345678 units, 0.1234567890",
  ],
  ["[1] and [turn1.research/3]", "[1] and [turn1.research/3]"],
])("%s", (text, hidden) => {
  expect(redactPatterns()(text, at)).toBe(hidden);
});

it("takes patterns of its own, also without the global flag, and marks that are no replacement pattern", () => {
  const redact = redactPatterns({ "$& code": /\bX-\d+/ });
  expect(redact("X-1 and X-22", at)).toBe("[$& code] and [$& code]");
});

it("takes no long on a text made to take long", () => {
  const redact = redactPatterns();
  expect(redact(`${"a".repeat(50_000)}@${"b.".repeat(20_000)}`, at)).toContain("aaa");
  for (const part of ["1 ", "1.", "1.2 ", "AB12 ", "AB12CDEF ", "(1", "+1."])
    expect(redact(part.repeat(50_000), at)).not.toBe("");
});
