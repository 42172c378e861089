import { describe, expect, it } from "vitest";

import { jaccard, shingles } from "./similarity.ts";
import { contentKeys, contentWords, wordKey, words } from "./words.ts";

describe("words", () => {
  it("folds case and diacritics and keeps repeats", () => {
    expect(words("Größe, café CAFÉ x2")).toEqual(["große", "cafe", "cafe", "x2"]);
  });

  it("drops words without a subject, but not when nothing else is there", () => {
    expect(contentWords("What is the policy on travel?")).toEqual(["policy", "travel"]);
    expect(contentWords("Who are you?")).toEqual(["who", "are", "you"]);
  });

  it("brings forms of one word together", () => {
    for (const [a, b] of [
      ["policies", "policy"],
      ["measured", "measuring"],
      ["measures", "measure"],
      ["planned", "planning"],
      ["boxes", "box"],
    ] as const)
      expect(wordKey(a)).toBe(wordKey(b));
    expect(wordKey("status")).toBe("status");
    expect(contentKeys("sensor sensors").size).toBe(1);
  });
});

describe("jaccard", () => {
  it("is 1 for the same words and small for the same subject", () => {
    expect(jaccard(shingles("the probe is cleaned daily"), shingles("The probe is cleaned daily."))).toBe(1);
    expect(jaccard(shingles("the probe is cleaned daily"), shingles("staff clean probes each day"))).toBe(0);
    expect(jaccard(new Set(), new Set())).toBe(0);
  });
});
