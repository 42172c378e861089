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
  if (plan === undefined || "refusal" in plan) throw new Error(`no plan for ${asked}`);
  const steps = plan.steps.map((step): ToldStep => {
    const id = step.id ?? step.agent ?? "";
    return {
      name: `turn${turn}.${id}`,
      id,
      kind: "agent",
      agent: step.agent ?? "",
      instruction: step.instruction ?? "",
      inputs: [...(step.earlier ?? []), ...(step.depends_on ?? []).map((of) => `turn${turn}.${of}`)],
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
  if (plan === undefined || "refusal" in plan) throw new Error(`not planned: ${JSON.stringify(plan)}`);
  return plan;
}

function refused(task: string, ...asked: readonly string[]): string {
  const turns: ToldTurn[] = [];
  for (const one of asked) turns.push(turnOf(turns.length + 1, one, turns));
  const plan = planFollowUp(task, trialTeam, turns);
  if (plan === undefined || !("refusal" in plan)) throw new Error(`not refused: ${JSON.stringify(plan)}`);
  return plan.refusal;
}

/** What each step is asked, as its agent reads it. */
const askedIn = (steps: ReturnType<typeof planned>["steps"]) =>
  steps.map(({ id, instruction = "" }) => [id, readSubject(instruction)?.subject ?? instruction]);

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

  it("does the last steps of agents again where a person had the last word", () => {
    const made = turnOf(1, ASKED);
    const person = (id: string, ...inputs: readonly string[]): ToldStep => ({
      name: `turn1.${id}`,
      id,
      kind: "human",
      agent: "",
      instruction: "",
      inputs: [...inputs],
      found: true,
      citations: 0,
      charts: 0,
      files: [],
    });
    const review = person("review", "turn1.deck");
    const sign = person("sign", "turn1.review");
    for (const turn of [
      { ...made, answer_step: "sign", steps: [...made.steps, review, sign] },
      // Nobody was shown anything, and one answer is written of it all.
      { ...made, answer_step: "", steps: [...made.steps, person("who")] },
    ])
      expect(planFollowUp("shorter", trialTeam, [turn])).toMatchObject({
        steps: [{ id: "deck", agent: "gamma", earlier: ["turn1.research", "turn1.data"] }],
      });
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
    expect(plan !== undefined && "steps" in plan && plan.steps[0]?.instruction).toBe(
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
    expect(planFollowUp("now make it 5 slides", trialTeam, [failed])).toEqual({
      refusal: expect.stringContaining("say all of what is wanted"),
    });
    expect(planFollowUp("add the sales figures", trialTeam, [failed])).toBeUndefined();
    expect(planFollowUp("now make it 5 slides", trialTeam, [])).toBeUndefined();
    expect(planFollowUp(ASKED, trialTeam, [turnOf(1, ASKED)])).toBeUndefined();
    const others = trialTeam.filter(({ name }) => name !== "gamma");
    expect(planFollowUp("shorter", others, [turnOf(1, ASKED)])).toEqual({
      refusal: expect.stringContaining("no agent is there"),
    });
  });

  it.each([
    ["and for 2025?", "the sales figures for 2025"],
    ["by product", "the sales figures by product"],
    ["only for EMEA", "the sales figures for EMEA"],
    ["what about Q3 2024?", "the sales figures in Q3 2024"],
    ["just last year", "the sales figures last year"],
    ["excluding DACH", "the sales figures excluding DACH"],
  ])(
    "queries the figures of a deck anew for %s, and makes it of them and of what documents said",
    (task, wanted) => {
      const { steps, final } = planned(task, ASKED);
      expect(steps).toMatchObject([
        { id: "data", agent: "beta", depends_on: [], earlier: [] },
        { id: "deck", agent: "gamma", depends_on: ["data"], earlier: ["turn1.research"] },
      ]);
      expect(askedIn(steps)).toEqual([
        ["data", wanted],
        ["deck", "our AI strategy"],
      ]);
      expect(readChanges(steps[1]?.instruction ?? "").changes).toEqual([task]);
      expect(final).toBe("passthrough");
    },
  );

  it("keeps what was varied before, and the changes of the deck", () => {
    const { steps } = planned("by region", ASKED, "now make it 5 slides", "and for 2025?");
    expect(askedIn(steps)[0]).toEqual(["data", "the sales figures for 2025 by region"]);
    expect(steps[1]?.earlier).toEqual(["turn1.research"]);
    expect(readChanges(steps[1]?.instruction ?? "").changes).toEqual([
      "now make it 5 slides",
      "and for 2025?",
      "by region",
    ]);
  });

  it("names a deck of figures alone by what it is asked for then", () => {
    const { steps } = planned("for 2024", "What was the revenue by region in 2025?", "make a deck of that");
    expect(askedIn(steps)).toEqual([
      ["answer", "What was the revenue by region in 2024?"],
      ["deck", "revenue by region in 2024"],
    ]);
    expect(steps[1]).toMatchObject({ depends_on: ["answer"], earlier: [] });
  });

  it("asks again only the figures of an answer that texts are in too", () => {
    const both = "What are the risks in the strategy, and what was the revenue by region in 2025?";
    const { steps } = planned("by product", both);
    expect(steps).toMatchObject([{ agent: "beta" }]);
    expect(askedIn(steps)[0]?.[1]).toContain("revenue by product in 2025");
  });

  it("leaves out a part of the figures, and of a deck what its agent can", () => {
    const { steps } = planned("without DACH", "What was the revenue by region in 2024?");
    expect(askedIn(steps)).toEqual([["answer", "What was the revenue by region in 2024 excluding DACH?"]]);
    const form = planned("without the charts", "What was the revenue by region in 2024?");
    expect(readChanges(form.steps[0]?.instruction ?? "").changes).toEqual(["without the charts"]);
  });

  it("says what it cannot tell", () => {
    expect(refused("and for contractors?", "Create a presentation about the travel policy")).toContain(
      "no figures",
    );
    expect(refused("and 2025?", "Compare the revenue of 2023 and 2024")).toContain("ask the whole question");
    expect(refused("and the risks?", "What are the goals of the AI strategy?")).toContain('"and the risks?"');
    expect(refused("add a slide about risks", "Who is responsible for the AI policy?")).toContain(
      "make a deck of that",
    );
  });

  it("gives an answer again with what is added to it", () => {
    const asked = "What does the travel policy say about hotels?";
    const { steps, final } = planned("add the per diem", asked);
    expect(steps.map(({ id, depends_on }) => [id, depends_on])).toEqual([
      ["answer", []],
      ["more", []],
    ]);
    expect(askedIn(steps)).toEqual([
      ["answer", asked],
      ["more", "What do the documents say about the per diem?"],
    ]);
    expect(final).toBe("synthesize");
    const year = planned("add 2023", "What was the revenue by region in 2024?");
    expect(askedIn(year.steps).map(([, question]) => question)).toEqual([
      "What was the revenue by region in 2024?",
      "What was the revenue by region in 2023?",
    ]);
  });

  it("takes a slide about something for the thing, and sources for what is there", () => {
    const { steps } = planned("add a slide about risks", ASKED);
    expect(askedIn(steps)[0]).toEqual(["research", "risks"]);
    const sources = planned("and add the sources", "Who is responsible for the AI policy?");
    expect(sources.steps).toMatchObject([{ id: "answer", agent: "alpha" }]);
  });

  it("goes on with the presentation before one that was not made", () => {
    const made = turnOf(1, ASKED);
    const tried = turnOf(2, "only for EMEA", [made]);
    const steps = tried.steps.map((step) => ({ ...step, files: [] }));
    expect(planFollowUp("only for DACH", trialTeam, [made, { ...tried, steps }])).toMatchObject({
      steps: [
        { instruction: expect.stringContaining("the sales figures for DACH.") },
        { earlier: ["turn1.research"] },
      ],
    });
  });
});
