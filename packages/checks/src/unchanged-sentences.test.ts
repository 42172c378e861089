import { describe, expect, test } from "vitest";

import { passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

const evidence = passages("The club has 88 customers and 62 partners, and 3 halls.");
const SENTENCE = "The club lost 26 customers [1].";
const MISSING = ["figure: 26"];

describe("a sentence of a refused answer", () => {
  test("keeps its finding if it is unchanged, although a pair of figures explains it", () => {
    expect(findings(SENTENCE, evidence, { bound: "strict" })).toEqual(MISSING);
    expect(findings(SENTENCE, evidence)).toEqual(["derived"]);
    const refused = `It has 3 halls [1]. ${SENTENCE}`;
    expect(findings(SENTENCE, evidence, { refused })).toEqual(MISSING);
    expect(findings("The club **lost**  26 customers [1].", evidence, { refused })).toEqual(MISSING);
  });

  test("is compared by the lenient bound if it was changed", () => {
    expect(findings("On Sundays the club lost 26 customers [1].", evidence, { refused: SENTENCE })).toEqual([
      "derived",
    ]);
  });

  test("is verified if operands are named for its figure, not for the figure of another sentence", () => {
    const named = { figure: "26", operands: ["88", "62"] };
    const check = (sentence: string) =>
      findings(SENTENCE, evidence, { refused: SENTENCE, derived: [{ ...named, sentence }] });
    expect(check("The club lost")).toEqual(["derived"]);
    expect(check("It has 3 halls")).toEqual(MISSING);
  });
});
