import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgentEntry } from "../ports/agent.ts";
import { findSkills, skillsIndex } from "./skills-index.ts";
import { skillWords } from "./skill-words.ts";

const agent = (name: string, tags: readonly string[], more: Partial<AgentEntry> = {}): AgentEntry => ({
  name,
  title: name,
  description: "",
  version: "1",
  status: "up",
  skills: [{ id: `${name}-skill`, name: `Work of ${name}`, description: "", tags, examples: [] }],
  ...more,
});
const team = [
  agent("docs", ["documents", "search"]),
  agent("sales", ["sql", "charts", "data"]),
  agent("slides", ["slides", "charts"]),
];
const namesFor = (text: string, agents: readonly AgentEntry[] = team): readonly string[] =>
  findSkills(skillsIndex(agents), text).map((match) => match.agent);

/** Agents of few words, so that they often share some. */
const entries = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z]{3,8}$/),
    tags: fc.array(fc.constantFrom("data", "slides", "search", "__proto__", "constructor", "日本語"), {
      maxLength: 4,
    }),
    example: fc.string({ maxLength: 40 }),
    status: fc.constantFrom("up" as const, "down" as const),
  }),
  { selector: ({ name }) => name, maxLength: 8 },
);
const made = entries.map((all) =>
  all.map(({ name, tags, example, status }) =>
    agent(name, tags, {
      status,
      skills: [{ id: "s", name, description: "", tags, examples: [example] }],
    }),
  ),
);

describe("finding skills", () => {
  it("goes by tags before names before examples, and by rare words before common ones", () => {
    expect(namesFor("Which documents speak of it?")).toEqual(["docs"]);
    expect(namesFor("charts of our sql data")).toEqual(["sales", "slides"]);
    expect(namesFor("slides with charts")).toEqual(["slides", "sales"]);
    expect(namesFor("water the plants")).toEqual([]);
    expect(findSkills(skillsIndex(team), "Charts, charts and SQL")[0]).toMatchObject({
      agent: "sales",
      skill: "sales-skill",
      words: ["chart", "sql"],
    });
  });

  it("finds every agent that is up by each of its words, and none that is down", () => {
    fc.assert(
      fc.property(made, (all) => {
        const index = skillsIndex(all);
        for (const { name, status, skills } of all)
          for (const word of skillWords(skills.flatMap(({ tags }) => [name, ...tags]).join(" ")))
            expect(findSkills(index, word).some((match) => match.agent === name)).toBe(status === "up");
      }),
      { numRuns: 100 },
    );
  });

  it("is the same in whichever order the agents and the words come", () => {
    fc.assert(
      fc.property(
        made,
        fc.array(fc.constantFrom("data", "slides", "search", "constructor"), { maxLength: 5 }),
        (all, words) => {
          const forward = findSkills(skillsIndex(all), words.join(" "));
          const backward = findSkills(skillsIndex(all.toReversed()), words.toReversed().join(" "));
          expect(backward).toEqual(forward);
          expect(forward.map(({ score }) => score)).toEqual(
            forward.map(({ score }) => score).toSorted((a, b) => b - a),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("reads no more of a card than its bounds", () => {
    const skills = Array.from({ length: 5_000 }, (_, i) => ({
      id: `s${i}`,
      name: "",
      description: "",
      tags: [`tag${i}`],
      examples: Array.from({ length: 100 }, () => "word ".repeat(10_000)),
    }));
    const index = skillsIndex([agent("large", [], { skills })]);
    expect(index.skills).toHaveLength(100);
  });
});
