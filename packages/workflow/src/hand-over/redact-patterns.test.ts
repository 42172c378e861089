import { expect, it } from "vitest";

import { redactPatterns } from "./redact-patterns.ts";

const at = { from: "a", to: { step: "b", agent: "c" } };

it.each([
  ["Ask jane.doe+x@mail.norrvik.se, please.", "Ask [e-mail], please."],
  [
    "Iban DE89 3704 0044 0532 0130 00",
    "Iban DE89 3704 0044 0532 0130 00".replace("3704 0044 0532 0130 00", "[number]"),
  ],
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
  expect(redact("1 ".repeat(50_000), at)).not.toBe("");
});
