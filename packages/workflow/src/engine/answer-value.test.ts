import type { InputReply } from "@troupe/stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { answerValue, readAnswer } from "./answer-value.ts";

const reply: fc.Arbitrary<InputReply> = fc.record({
  requestId: fc.string(),
  values: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean())),
});
const answered = fc.record(
  { by: fc.string(), at: fc.nat(), through: fc.string() },
  { requiredKeys: ["at", "through"] },
);

it("carries a reply with who gave it, and gives both back", () => {
  fc.assert(
    fc.property(reply, answered, (given, who) => {
      const read = readAnswer(answerValue(given, who));
      expect(read).toEqual({ reply: given, answered: { requestId: given.requestId, ...who } });
    }),
  );
});

it("takes a reply alone, as journals before it have it, and whatever else was signalled", () => {
  fc.assert(
    fc.property(fc.oneof(reply, fc.jsonValue()), (value) => {
      expect(readAnswer(value as never)).toEqual({ reply: value });
    }),
  );
});
