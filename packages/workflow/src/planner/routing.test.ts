import type { AgentEntry } from "@troupe/core";
import { describe, expect, it } from "vitest";

import { agentEntry, trialTeam } from "../testing/index.ts";
import { planByRules, singleAgentFor } from "./plan-by-rules.ts";
import { refusalOf } from "./refusal.ts";

/** Agents whose names say nothing, with skills as real ones describe them. */
const team: readonly AgentEntry[] = trialTeam.map((agent, i) => ({
  ...agent,
  skills: agent.skills.map((skill) => ({
    ...skill,
    examples:
      [
        ["What does our travel policy say about trains?", "Summarise our AI strategy."],
        ["Show revenue by quarter.", "Which products sell best?"],
        ["Make a deck about these findings."],
      ][i] ?? [],
  })),
}));
const units = agentEntry("delta", ["units", "conversion", "temperature"]);

const agentsOf = (task: string, agents = team): readonly string[] =>
  planByRules(task, agents)?.steps.map((step) => step.agent ?? "") ?? [];

describe("by rules, a task goes to", () => {
  it.each([
    ["What does the travel policy say about trains?", ["alpha"]],
    ["Who leads the AI steering group?", ["alpha"]],
    ["Who founded the company?", ["alpha"]],
    ["How many days of leave do I have?", ["alpha"]],
    ["What is the Foresight revenue target for 2028?", ["alpha"]],
    ["Summarise the annual report 2025.", ["alpha"]],
    ["Why did the false alarms of 14 June happen?", ["alpha"]],
    ["What does the AI strategy say about sales?", ["alpha"]],
    ["What were the sales in the annual report?", ["alpha"]],
    ["List the risks in the AI governance policy", ["alpha"]],
    ["When does the data platform go live?", ["alpha"]],
    ["which customer bought the most in 2025?", ["beta"]],
    ["which product sold most in 2025", ["beta"]],
    ["customers per country", ["beta"]],
    ["how many customers do we have in Germany", ["beta"]],
    ["average order value", ["beta"]],
    ["compare 2023 and 2024 revenue by quarter", ["beta"]],
    ["top 5 customers by revenue", ["beta"]],
    ["how much did Ghent buy in 2024", ["beta"]],
    ["how many Sonde 4 probes did we sell in the Nordics in 2025", ["beta"]],
    ["lowest selling product", ["beta"]],
    ["Show a chart of monthly turnover", ["beta"]],
    ["bikes by month", ["beta"]],
    ["show our bikes by quarter in 2025", ["beta"]],
    ["growth by model", ["beta"]],
    ["What is due by month end?", ["alpha"]],
    ["leave days per year", ["alpha"]],
    ["Compare our pricing policy with the revenue of last year", ["alpha", "beta"]],
    ["Who leads AI and what is the budget, and how did sales in DACH develop?", ["alpha", "beta"]],
    ["Who leads AI, and which product sold most?", ["alpha", "beta"]],
    ["Which country sells most and which sells least?", ["beta"]],
    ["How do I book a trip?", ["alpha"]],
    ["Create a presentation about our AI strategy", ["alpha", "gamma"]],
    ["Make slides about the data platform roadmap", ["alpha", "gamma"]],
    ["Make a deck about quality and our sales process", ["alpha", "gamma"]],
    ["Create a deck about the AI strategy, with its sales figures", ["alpha", "beta", "gamma"]],
    ["A presentation on our strategy with a chart of the numbers", ["alpha", "beta", "gamma"]],
    ["Make a deck on customers with revenue of DACH and Nordics by quarter", ["alpha", "beta", "gamma"]],
  ])("%s -> %j", (task, agents) => {
    expect(agentsOf(task)).toEqual(agents);
  });

  it("a specialist by what an example of its skills says", () => {
    const [skill] = units.skills;
    const examples = ["How much is 20 °C in Fahrenheit?"];
    const taught = { ...units, skills: skill ? [{ ...skill, examples }] : [] };
    const agents = [...team, taught];
    expect(agentsOf("How much is 35 °C in Fahrenheit?", agents)).toEqual(["delta"]);
    expect(agentsOf("How much is a night in a hotel?", agents)).toEqual(["alpha"]);
  });

  it("a specialist whose skills it names, and no other", () => {
    expect(agentsOf("What temperature is 20 °C in Fahrenheit?", [...team, units])).toEqual(["delta"]);
    expect(agentsOf("Who leads the AI steering group?", [...team, units])).toEqual(["alpha"]);
  });

  it.each([
    "send an email to Anna",
    "delete the old files",
    "Translate this report to German",
    "book a room",
  ])("nobody when it orders a deed, unless one says it does that: %s", (task) => {
    expect(agentsOf(task)).toEqual([]);
    expect(singleAgentFor(task, team.slice(0, 1))).toBeUndefined();
    const doer = agentEntry("zeta", ["email", "delete", "translate", "book"]);
    expect(agentsOf(task, [...team, doer])).toEqual(["zeta"]);
    expect(singleAgentFor(task, [...team, doer])?.name).toBe("zeta");
  });

  it.each([
    ["Create a deck about our AI strategy and email it to the board.", "email it to the board"],
    ["Summarise the annual report, then send the summary to Anna", "send the summary to Anna"],
    ["Make slides about the roadmap; and please share them with everybody!", "share them with everybody"],
  ])("nobody when what it makes is to be handed on, and nobody hands on: %s", (task, deed) => {
    expect(agentsOf(task)).toEqual([]);
    expect(singleAgentFor(task, team)).toBeUndefined();
    expect(refusalOf(task, team)).toContain(`none can "${deed}"`);
    const doer = agentEntry("zeta", ["email", "mail", "send", "share"]);
    const steps = planByRules(task, [...team, doer])?.steps ?? [];
    expect(steps.at(-1)).toMatchObject({
      agent: "zeta",
      depends_on: steps.slice(0, -1).map(({ id }) => id),
      instruction: expect.stringContaining(deed) as unknown,
    });
  });

  it.each([
    "Create a deck about how we write reports and share them",
    "Who may read the strategy, and when do we publish it?",
    "What does the policy say about mail and post?",
  ])("somebody where that is what it is about: %s", (task) => {
    expect(agentsOf(task).length).toBeGreaterThan(0);
  });

  it("the agent of a kind whose skills speak of it", () => {
    const staff = agentEntry("epsilon", ["data"], {
      skills: [
        {
          id: "staff",
          name: "Staff figures",
          description: "",
          tags: ["data"],
          examples: ["Average salary by department"],
        },
      ],
    });
    expect(agentsOf("median salary by department and year", [...team, staff])).toEqual(["epsilon"]);
    expect(agentsOf("revenue by quarter", [...team, staff])).toEqual(["beta"]);
  });
});
