import { expect, it } from "vitest";

import { createThinkingMemory } from "./thinking-memory.ts";

const turn = (id: string) => [
  { type: "thinking" as const, thinking: "", signature: "s" },
  { type: "tool_use" as const, id, name: "search", input: {} },
];

it("keeps turns with reasoning and calls only, and forgets the oldest first", () => {
  const memory = createThinkingMemory();
  memory.keep(turn("bare").slice(1));
  memory.keep(turn("no call").slice(0, 1));
  for (let at = 0; at < 600; at++) memory.keep(turn(`call-${at}`));
  expect(memory.recall("bare")).toBeUndefined();
  expect(memory.recall("call-0")).toBeUndefined();
  expect(memory.recall("call-599")).toEqual(turn("call-599"));
  memory.forget();
  expect(memory.recall("call-599")).toBeUndefined();
});
