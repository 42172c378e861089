import { describe, expect, it } from "vitest";

import { figuresIn, saysSame } from "./says-same.ts";
import { contentKeys } from "./words.ts";

const of = (text: string) => ({ keys: contentKeys(text), figures: figuresIn(text) });

describe("saysSame", () => {
  it.each([
    ["Foresight costs EUR 1,450 a year.", "A year of Foresight costs EUR 1,450.", true],
    ["Foresight costs EUR 1,450 a year.", "Foresight costs EUR 1,540 a year.", false],
    ["The pilot ended on 30 September 2025.", "On 30 September 2025 the pilot ended.", true],
    ["The pilot ended on 30 September 2025.", "The pilot ended on 1 October 2025.", false],
    ["Probes are cleaned every hour.", "Stations are sent by carrier.", false],
  ])("%j and %j: %j", (a, b, same) => {
    expect(saysSame(of(a), of(b))).toBe(same);
  });
});
