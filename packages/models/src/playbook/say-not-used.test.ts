import { expect, it } from "vitest";

import { finishCall } from "./finish-call.ts";
import { sayNotUsed } from "./say-not-used.ts";

it("says in an answer which wishes it does not follow, and never calls it whole", () => {
  const [call] =
    sayNotUsed({ calls: [finishCall({ content: "Four." })] }, ["make it blue", "sing"]).calls ?? [];
  expect(call?.arguments).toMatchObject({
    content: "Four.\n\nNot used: make it blue.\nNot used: sing.",
    is_task_complete: false,
  });
});

it("leaves every other move as it is", () => {
  const whole = { calls: [finishCall({ content: "Four." })] };
  expect(sayNotUsed(whole, [])).toBe(whole);
  const search = { say: "Looking.", calls: [{ name: "search", arguments: { content: "x" } }] };
  expect(sayNotUsed(search, ["make it blue"])).toEqual(search);
});
