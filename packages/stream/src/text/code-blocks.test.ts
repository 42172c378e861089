import { expect, it } from "vitest";

import { linesWithoutCode, rewriteOutsideCode } from "./code-blocks.ts";

const SENTENCE = "Revenue was EUR 18.7 million in 2025 [1].";
const kept = (text: string): string =>
  linesWithoutCode(text)
    .filter((line) => line !== "")
    .join("\n");

it.each([
  ["```markdown", "```"],
  ["```md", "```"],
  ["```text", "```"],
  ["```", "```"],
  ["~~~", "~~~"],
  ["````", "````"],
  ["```python", "```"],
  ["```answer", "```"],
])("reads a sentence between %s and %s", (open, close) => {
  expect(kept(`${open}\n${SENTENCE}\n${close}`)).toBe(SENTENCE);
  expect(kept(`So:\n\n${open}\n${SENTENCE}\n${close}\nEnd.`)).toBe(`So:\n${SENTENCE}\nEnd.`);
});

it("reads a layout in a text fence", () => {
  expect(kept("```text\nRevenue 2025   EUR 18.7 million\n```")).toBe("Revenue 2025   EUR 18.7 million");
});

it.each([
  "```ts\nconst a = 5;\n// It is the number of retries.\n```",
  "```\nnpm install --retries 5\n```",
  "```\nfunction wait() {\n  return 5\n}\n```",
  "```sql\nSELECT 5\n```",
  "```\nSELECT a\nFROM b\nLIMIT 5\n```",
  "```yaml\nretries: 5\n```",
])("leaves out code: %j", (block) => {
  expect(kept(`So:\n${block}\nEnd.`)).toBe("So:\nEnd.");
});

it.each(["```\nA is 5.", "a\n```\nA is 5.\n\n```json", "```\nA is 5.\n~~~"])(
  "hides nothing behind a fence that is not closed: %j",
  (text) => {
    expect(kept(text)).toContain("A is 5.");
  },
);

it("rewrites outside of code alone", () => {
  const text = "A `A`\n```\nA()\n```\nA\n```text\nA\n```";
  expect(rewriteOutsideCode(text, (part) => part.replaceAll("A", "B"))).toBe(
    "B `A`\n```\nA()\n```\nB\n```text\nB\n```",
  );
});
