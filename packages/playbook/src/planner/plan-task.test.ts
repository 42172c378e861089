import type { ModelRequest } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { planTask } from "./plan-task.ts";
import type { ListedAgent } from "./team.ts";

const agent = (name: string, tags: readonly string[], examples: readonly string[] = []): ListedAgent => ({
  name,
  title: name,
  description: "",
  skills: [{ id: name, name, description: "", tags, examples }],
});
const TEAM = [
  agent("alpha", ["documents", "retrieval", "citations"], ["What does our travel policy say about trains?"]),
  agent("beta", ["data", "sql", "figures"], ["Show revenue by quarter.", "Which products sell best?"]),
  agent("gamma", ["presentation", "deck", "slides"], ["Make a deck about these findings."]),
];

interface Written {
  readonly steps: readonly {
    readonly id: string;
    readonly agent: string;
    readonly instruction: string;
    readonly depends_on: readonly string[];
  }[];
  readonly final: string;
  readonly refusal: string;
  readonly needs: string;
}

function plan(
  task: string,
  over: {
    readonly agents?: readonly ListedAgent[];
    readonly unreachable?: readonly ListedAgent[];
    readonly conversation?: readonly object[];
  } = {},
): Written {
  const asked = { task, agents: TEAM, unreachable: [], ...over };
  const request: ModelRequest = {
    system: "",
    messages: [{ role: "user", text: JSON.stringify(asked) }],
    tools: [],
  };
  return JSON.parse(planTask(request).say ?? "") as Written;
}
const agentsOf = (task: string, over = {}): readonly string[] =>
  plan(task, over).steps.map((step) => step.agent);

describe("a presentation", () => {
  it.each([
    "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures",
    "Make slides about our AI strategy and the revenue by quarter",
    "Erstelle eine Präsentation über unsere KI-Strategie mit dem Umsatz pro Quartal",
    "Prépare une présentation sur notre stratégie avec le chiffre des ventes par trimestre",
    "strategy.pptx on our AI strategy with sales figures",
  ])("is made of what documents and data give, each for its part of the request: %s", (task) => {
    const { steps, final } = plan(task);
    expect(steps.map((step) => [step.id, step.agent, step.depends_on])).toEqual([
      ["documents", "alpha", []],
      ["data", "beta", []],
      ["deck", "gamma", ["documents", "data"]],
    ]);
    expect(final).toBe("passthrough");
    expect(steps[0]?.instruction).toMatch(/strat[eé]g/i);
    expect(steps[1]?.instruction).not.toMatch(/strateg/i);
  });

  it("is made of the agents that are registered", () => {
    const task = "Create a presentation about our AI strategy, with sales figures";
    expect(agentsOf(task, { agents: TEAM.slice(1) })).toEqual(["beta", "gamma"]);
    expect(agentsOf(task, { agents: [TEAM[0], TEAM[2]] })).toEqual(["alpha", "gamma"]);
    expect(plan(task, { agents: TEAM.slice(0, 2) }).refusal).toContain("makes presentations");
  });

  it("has no step for figures that nobody asked for, and is refused without a subject", () => {
    expect(agentsOf("Make slides about our travel policy")).toEqual(["alpha", "gamma"]);
    expect(plan("make 5 slides").refusal).toContain("names no subject");
  });

  it("is titled by its subject", () => {
    expect(
      plan("Create a deck about Norrvik's AI strategy based on our documents, with sales").steps.at(-1)
        ?.instruction,
    ).toBe('Make a presentation titled "Norrvik\'s AI strategy" of these results.');
  });
});

describe("a question", () => {
  it.each([
    ["What does the travel policy say about trains?", ["alpha"]],
    ["Who founded the company?", ["alpha"]],
    ["What does the strategy say about revenue?", ["alpha"]],
    ["Summarise sales by quarter", ["beta"]],
    ["Which products sell best?", ["beta"]],
    ["How much is the daily allowance?", ["alpha"]],
    ["How much revenue did we make?", ["beta"]],
    ["SELECT region FROM sales", ["beta"]],
    ["Zeige den Umsatz pro Jahr", ["beta"]],
    ["Compare our pricing policy with the revenue of last year", ["alpha", "beta"]],
    [
      "Wie hat sich der Umsatz im Vergleich zu den Zielen in unserem Strategiepapier entwickelt?",
      ["alpha", "beta"],
    ],
    ["How many sites are there?", ["alpha", "beta"]],
  ])("%j goes to the agents whose work it speaks of", (task, agents) => {
    expect(agentsOf(task)).toEqual(agents);
  });

  it.each([
    ["tables shops(shop_id, staff)", "How many shops are there?", ["alpha", "beta"]],
    ["tables shops(shop_id, staff)", "How many sites are there?", ["alpha"]],
    [`tables ${"many(columns) ".repeat(200)}`, "How many sites are there?", ["alpha", "beta"]],
  ])("counts what tables hold where they hold it: %.30s, %s", (holds, task, agents) => {
    const team = TEAM.map((one) => ({ ...one, holds: one.name === "beta" ? holds : "handbook.md" }));
    expect(agentsOf(task, { agents: team })).toEqual(agents);
  });

  it("asks only tables for a number if there are no documents", () => {
    const team = TEAM.map((one) => (one.name === "beta" ? { ...one, holds: "shops(shop_id)" } : one));
    expect(agentsOf("How many shops are there?", { agents: team })).toEqual(["beta"]);
  });

  it("goes as it is to one agent, and in parts to two, whose answers are put together", () => {
    expect(plan("Who founded the company?")).toMatchObject({
      steps: [{ id: "answer", instruction: "Who founded the company?" }],
      final: "passthrough",
    });
    expect(plan("Compare our pricing policy with the revenue of last year")).toMatchObject({
      steps: [{ instruction: "Compare our pricing policy" }, { instruction: "the revenue of last year" }],
      final: "synthesize",
    });
  });

  it("goes to the agent of another kind whose skills share most words with it", () => {
    const units = agent("units", ["conversion"], ["Convert 3 miles to kilometres."]);
    expect(agentsOf("Convert 5 miles", { agents: [...TEAM, units] })).toEqual(["units"]);
    expect(agentsOf("What does the travel policy say about trains?", { agents: [...TEAM, units] })).toEqual([
      "alpha",
    ]);
  });

  it("goes to the data where there are no documents, and is refused where no skill mentions it", () => {
    expect(agentsOf("Who founded the company?", { agents: TEAM.slice(1) })).toEqual(["beta"]);
    const poets = [agent("poet", ["poetry"]), agent("painter", ["art"])];
    expect(plan("Who founded the company?", { agents: poets })).toMatchObject({
      steps: [],
      refusal: expect.stringContaining("mention it") as unknown,
    });
  });

  it("names an agent that is down, and gives its work to no other", () => {
    const unreachable = TEAM.slice(0, 1);
    for (const task of ["What does the travel policy say?", "Make slides about our travel policy"])
      expect(plan(task, { agents: TEAM.slice(1), unreachable })).toMatchObject({ steps: [], needs: "alpha" });
  });
});

describe("what takes understanding", () => {
  it.each([
    "Please book a room",
    "Translate the travel policy into German",
    "Create a deck about our AI strategy and then e-mail it to Ann",
    "Delete all of our invoices.",
  ])("is refused as a deed: %s", (task) => {
    expect(plan(task)).toMatchObject({
      steps: [],
      refusal: expect.stringContaining("takes a model") as unknown,
    });
  });

  it.each([
    "now make it 5 slides",
    "and for 2025?",
    "Und der Umsatz in Frankreich?",
    "Show the revenue split for the biggest one",
    "Which segment drove the revenue drop there?",
    "shorter",
    "only DACH",
    "the same by region",
  ])("is refused where it may follow on an earlier turn: %s", (task) => {
    const { steps, refusal } = plan(task, { conversation: [{ turn: 1 }] });
    expect(steps).toEqual([]);
    expect(refusal).toMatch(/takes a model: set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL\.$/);
  });

  it.each([
    "Show revenue by region in 2025",
    "What does the travel policy say about trains?",
    "How many customers are there?",
  ])("is not a plain new question: %s", (task) => {
    expect(agentsOf(task, { conversation: [{ turn: 1 }] })).not.toEqual([]);
  });

  it("refuses a request in a form that it does not know", () => {
    const request: ModelRequest = { system: "", messages: [{ role: "user", text: "hello" }], tools: [] };
    expect(planTask(request).say).toContain("a form that the playbook does not know");
  });
});
