import { describe, expect, it } from "vitest";

import { readOutput } from "./read-output.ts";

const schema = {
  type: "object",
  properties: { revenue: { type: "number" } },
  required: ["revenue"],
};
const read = (answer: string, data: { readonly revenue: number } | null = null) =>
  readOutput(schema, { answer, data });

describe("readOutput", () => {
  it.each([
    ["the whole answer", '{"revenue":7}'],
    [
      "its last fenced part",
      'Before:\n```json\n{"revenue":1}\n```\nNow:\n```json\n{"revenue":7}\n```\nThat is it.',
    ],
    ["a part that names no language", 'So:\n```\n{"revenue":7}\n```'],
  ])("takes %s", (_what, answer) => {
    expect(read(answer)).toEqual({ value: { revenue: 7 } });
  });

  it("takes the data beside an answer in words, and prefers what fits to what stands first", () => {
    expect(read("Seven.", { revenue: 7 })).toEqual({ value: { revenue: 7 } });
    expect(read('{"revenue":"seven"}', { revenue: 7 })).toEqual({ value: { revenue: 7 } });
  });

  it("says what is wrong, of the answer first", () => {
    expect(read("Seven.")).toEqual({ issues: ["the answer is no JSON"] });
    expect(read("```")).toEqual({ issues: ["the answer is no JSON"] });
    expect(read('{"revenue":"seven"}')).toEqual({ issues: [expect.stringContaining("revenue")] });
    expect(read("[]")).toHaveProperty("issues");
  });

  it("takes a value that is nothing where the schema does", () => {
    expect(readOutput({ type: "null" }, { answer: "null", data: null })).toEqual({ value: null });
  });
});
