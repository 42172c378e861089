import type { AgentEventBody } from "@troupe/stream";
import { describe, expect, it } from "vitest";

import { outline } from "../testing/run-agent.ts";
import { TextItem } from "./text-item.ts";

function written(
  role: "open" | "answer",
  pieces: readonly string[],
  settle: "narration" | "answer" = "answer",
) {
  const events: AgentEventBody[] = [];
  const item = new TextItem("t1", role, (body) => events.push(body));
  for (const piece of pieces) item.write(piece);
  item.settle(settle);
  item.settle("narration");
  return { item, lines: outline(events) };
}

describe("TextItem", () => {
  it("is born with the first character that can be seen, and keeps the white space before it", () => {
    expect(written("open", ["\n", " ", "", "a", "b"]).lines).toEqual([
      "text-start t1 open",
      "text-delta t1 \n a",
      "text-delta t1 b",
      "text-role t1 answer",
      "text-end t1",
    ]);
    const blank = written("open", [" ", "\n"]);
    expect([blank.lines, blank.item.begun, blank.item.text]).toEqual([[], false, ""]);
  });

  it("keeps the role it was born with", () => {
    expect(written("answer", ["a"], "narration").lines).toEqual([
      "text-start t1 answer",
      "text-delta t1 a",
      "text-end t1",
    ]);
  });

  it("puts halves of a character together and replaces a lone half", () => {
    const { item, lines } = written("answer", ["a\uD83D", "", "\uDE00b", "\uDE00", "c\uD83D", "d\uD83D"]);
    expect(item.text).toBe("a😀b\uFFFDc\uFFFDd\uFFFD");
    expect(lines.every((line) => line.isWellFormed())).toBe(true);
  });
});
