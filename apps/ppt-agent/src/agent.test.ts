import { NO_USAGE } from "@troupe/stream";
import { expect, it } from "vitest";

import { pptAgent } from "./agent.ts";

const leftToDo = (...tools: readonly string[]): string | undefined =>
  pptAgent.finishRule?.({
    iteration: 1,
    messages: [],
    calls: tools.map((tool) => ({ tool, status: "ok" })),
    draft: "",
    usage: NO_USAGE,
    elapsedMs: 0,
  });

it.each([
  ["nothing was called", []],
  ["a presentation was begun and has no slide", ["powerpoint_create_presentation"]],
])("has no file to hand over where %s", (_what, tools) => {
  expect(leftToDo(...tools)).toContain("the person has no file");
});

it("asks for saving after the last change, and for nothing where slides were only read", () => {
  const made = ["powerpoint_create_presentation", "powerpoint_add_slide", "powerpoint_save_presentation"];
  expect(leftToDo(...made)).toBeUndefined();
  expect(leftToDo(...made, "powerpoint_replace_slide")).toContain("not saved");
  expect(leftToDo("powerpoint_list_slides")).toBeUndefined();
});
