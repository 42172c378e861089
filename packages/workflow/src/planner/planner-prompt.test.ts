import { expect, it } from "vitest";

import { agentEntry } from "../testing/agent-entries.ts";
import { plannerRequest } from "./planner-prompt.ts";

function listed(task: string, count: number) {
  const others = Array.from({ length: count }, (_, i) => agentEntry(`agent-${i}`, [`subject${i}`]));
  const team = [
    ...others,
    agentEntry("botanist", ["plants"]),
    agentEntry("florist", ["plants"], { status: "down" }),
  ];
  const [message] = plannerRequest(task, team).messages;
  const text = message?.role === "user" ? message.text : "";
  const asked = JSON.parse(text) as { agents: { name: string }[]; unreachable: { name: string }[] };
  return { up: asked.agents.map(({ name }) => name), down: asked.unreachable.map(({ name }) => name) };
}

it("tells a planner of a whole small team", () => {
  expect(listed("Water the plants.", 5).up).toHaveLength(6);
});

it("tells a planner of those in a large team whose skills speak of the task, in their own order", () => {
  const { up, down } = listed("Water the plants of subject99.", 200);
  expect(up).toHaveLength(30);
  expect(up.slice(-2)).toEqual(["agent-99", "botanist"]);
  expect(down).toEqual(["florist"]);
});
