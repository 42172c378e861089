import { expect, it } from "vitest";

import type { ThreadTurn } from "../thread/thread.ts";
import { tellThread } from "./told-thread.ts";

it("names what a step was handed in the order in which it was: what was found before comes first", () => {
  const step = { kind: "agent", agent: "gamma", instruction: "Make a deck." } as const;
  const turn: ThreadTurn = {
    turn: 2,
    runId: "run-2",
    asked: "add a slide about hiring",
    status: "completed",
    answer: "",
    steps: [
      { ...step, id: "deck", name: "turn2.deck", dependsOn: ["research"], earlier: ["turn1.research"] },
    ],
  };
  expect(tellThread([turn])[0]?.steps[0]?.inputs).toEqual(["turn1.research", "turn2.research"]);
});
