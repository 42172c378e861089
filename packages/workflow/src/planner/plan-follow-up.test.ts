import { readChanges, readSubject, withSubject } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { trialTeam } from "../testing/agent-entries.ts";
import { planByRules } from "./plan-by-rules.ts";
import { planFollowUp } from "./plan-follow-up.ts";
import type { ToldStep, ToldTurn } from "./told-thread.ts";

const ASKED = "Create a presentation about our AI strategy with the sales figures";

/** A turn as it would be on record after this request was planned by rules and every step completed. */
function turnOf(turn: number, asked: string, earlier: readonly ToldTurn[] = []): ToldTurn {
  const follows = planFollowUp(asked, trialTeam, earlier);
  const plan = follows ?? planByRules(asked, trialTeam);
  if (plan === undefined || plan === "nothing") throw new Error(`no plan for ${asked}`);
  const steps = plan.steps.map((step): ToldStep => {
    const id = step.id ?? step.agent ?? "";
    return {
      name: `turn${turn}.${id}`,
      id,
      kind: "agent",
      agent: step.agent ?? "",
      instruction: step.instruction ?? "",
      inputs: [...(step.depends_on ?? []).map((of) => `turn${turn}.${of}`), ...(step.earlier ?? [])],
      found: true,
      citations: 1,
      charts: step.agent === "beta" ? 1 : 0,
      files: step.agent === "gamma" ? ["deck.pptx"] : [],
    };
  });
  const answer = plan.final === "passthrough" ? steps.at(-1)?.id : undefined;
  return {
    turn,
    asked,
    status: "completed",
    answer: "",
    ...(answer === undefined ? {} : { answer_step: answer }),
    steps,
  };
}

function planned(task: string, ...asked: readonly string[]) {
  const turns: ToldTurn[] = [];
  for (const one of asked) turns.push(turnOf(turns.length + 1, one, turns));
  const plan = planFollowUp(task, trialTeam, turns);
  if (plan === undefined || plan === "nothing") throw new Error(`not planned: ${String(plan)}`);
  return plan;
}

describe("planFollowUp", () => {
  it("makes a deck again with what it was handed then and the change, and looks nothing up", () => {
    const { steps, final } = planned("now make it 5 slides", ASKED);
    expect(steps).toMatchObject([
      { id: "deck", agent: "gamma", depends_on: [], earlier: ["turn1.research", "turn1.data"] },
    ]);
    expect(final).toBe("passthrough");
    const { first, changes } = readChanges(steps[0]?.instruction ?? "");
    expect([first.includes(`"${ASKED}"`), changes]).toEqual([true, ["now make it 5 slides"]]);
    expect(readSubject(steps[0]?.instruction ?? "")?.subject).toBe("our AI strategy");
  });

  it("keeps the changes of before and the findings of the first turn, however many came between", () => {
    const { steps } = planned("for the board", ASKED, "now make it 5 slides", "shorter");
    expect(steps[0]?.earlier).toEqual(["turn1.research", "turn1.data"]);
    expect(readChanges(steps[0]?.instruction ?? "").changes).toEqual([
      "now make it 5 slides",
      "shorter",
      "for the board",
    ]);
  });

  it("finds what is to be added, and makes the deck of it and of what was there", () => {
    const { steps } = planned("add the sales figures", "Create a presentation about our AI strategy");
    expect(steps).toMatchObject([
      { id: "data", agent: "beta" },
      { id: "deck", agent: "gamma", depends_on: ["data"], earlier: ["turn1.research"] },
    ]);
    const more = planned("add the risks", "Create a presentation about our AI strategy");
    expect(more.steps.map(({ id, agent }) => [id, agent])).toEqual([
      ["research", "alpha"],
      ["deck", "gamma"],
    ]);
  });

  it("asks the same of another year, also after that was varied before", () => {
    const asked = "What was the revenue by region in 2023?";
    expect(planned("and for 2024?", asked).steps).toMatchObject([
      { agent: "beta", instruction: "What was the revenue by region in 2024?" },
    ]);
    expect(planned("by product", asked, "and for 2024?").steps).toMatchObject([
      { instruction: "What was the revenue by product in 2024?" },
    ]);
  });

  it("makes a deck of what was found, about what was asked then", () => {
    const { steps } = planned("make a deck of that", "What was the revenue by region in 2025?");
    expect(steps).toMatchObject([{ agent: "gamma", earlier: ["turn1.answer"] }]);
    expect(readSubject(steps[0]?.instruction ?? "")?.subject).toBe("revenue by region in 2025");
  });

  it("asks for the same answer in another form", () => {
    expect(planned("shorter", "Who is responsible for the AI policy?").steps).toMatchObject([
      {
        agent: "alpha",
        instruction: "Who is responsible for the AI policy?\nThen asked: shorter",
        earlier: [],
      },
    ]);
  });

  it("names the subject of a deck whose step did not", () => {
    const turn = turnOf(1, ASKED);
    const steps = turn.steps.map((step) => ({ ...step, instruction: "Make a deck." }));
    const plan = planFollowUp("shorter", trialTeam, [{ ...turn, steps }]);
    expect(typeof plan === "object" && plan.steps[0]?.instruction).toBe(
      withSubject("Make a deck.\nThen asked: shorter", { kind: "overview", subject: "our AI strategy" }),
    );
  });

  it("builds on a turn that found something, and on what its steps found where it ended early", () => {
    const failed: ToldTurn = {
      turn: 2,
      asked: "Do more.",
      status: "failed",
      reason: "x",
      answer: "",
      steps: [],
    };
    const first = turnOf(1, ASKED);
    expect(planFollowUp("shorter", trialTeam, [first, failed])).toMatchObject({
      steps: [{ earlier: ["turn1.research", "turn1.data"] }],
    });
    const steps = first.steps.map((step) => ({ ...step, found: step.id === "research" }));
    expect(planFollowUp("try again", trialTeam, [{ ...first, status: "canceled", steps }])).toMatchObject({
      steps: [{ id: "deck", earlier: ["turn1.research"] }],
    });
  });

  it("says that there is nothing where nothing was found, and leaves what stands for itself alone", () => {
    const failed: ToldTurn = { turn: 1, asked: "Do it.", status: "failed", answer: "", steps: [] };
    expect(planFollowUp("now make it 5 slides", trialTeam, [failed])).toBe("nothing");
    expect(planFollowUp("add the sales figures", trialTeam, [failed])).toBeUndefined();
    expect(planFollowUp("now make it 5 slides", trialTeam, [])).toBeUndefined();
    expect(planFollowUp(ASKED, trialTeam, [turnOf(1, ASKED)])).toBeUndefined();
    const others = trialTeam.filter(({ name }) => name !== "gamma");
    expect(planFollowUp("shorter", others, [turnOf(1, ASKED)])).toBe("nothing");
  });
});
