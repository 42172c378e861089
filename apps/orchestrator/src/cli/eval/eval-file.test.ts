import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { repository } from "../../testing/commands.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { KNOWN_KEYS, matcherOf, readEvalFile } from "./eval-file.ts";

afterEach(cleanUp);

const examples = join(repository, "examples", "evals");

function read(lines: readonly string[]) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "a.yaml"), `${["version: 1", "name: A", ...lines].join("\n")}\n`);
  return readEvalFile({ cwd }, "a.yaml");
}

it.each([
  [["cases: []"], "line 3, cases: "],
  [
    ["cases:", "  - id: a b", "    request: x"],
    'line 4, case "a b", id: must be letters, digits, dots, dashes',
  ],
  [
    ["cases:", "  - { id: a, request: x, expect: { fact: [b] } }"],
    'case "a", expect.fact: unknown key. Did you mean "facts"?',
  ],
  [
    ["cases:", "  - id: a", "    request: x", "    expect:", "      facts: ['/(/']"],
    'line 7, case "a", expect.facts.0: is no regular expression',
  ],
  [
    ["cases:", "  - { id: a, request: x, expect: { numbers: [many] } }"],
    'expect.numbers.0: "many" is not one number',
  ],
  [
    ["cases:", "  - { id: a, request: x, expect: { steps: { least: 1 } } }"],
    "expect.steps.least: unknown key",
  ],
  [["cases:", "  - id: a"], 'line 4, case "a", request: a case has either request or turns'],
  [
    ["cases:", "  - { id: a, request: x }", "  - { id: a, request: y }"],
    'line 5, case "a", id: is given twice',
  ],
  [
    ["cases:", "  - { id: a, turns: [{ request: x, answer: y }, { request: z }] }"],
    "a turn has an answer only in a case with plan_only",
  ],
  [
    ["plan_only: true", "cases:", "  - { id: a, turns: [{ request: x }, { request: z }] }"],
    "earlier turns need an answer",
  ],
  [
    ["threshold: 110 %", "cases:", "  - { id: a, request: x }"],
    'line 3, threshold: must be between 0 and 1, or such as "90 %"',
  ],
  [["cases: ["], "line 4: "],
])("names the line and the place of what is wrong: %j", (lines, message) => {
  expect(() => read(lines)).toThrow(message);
});

it("merges the common expectations into each case, and resolves ingest paths next to the file", () => {
  const file = read([
    "ingest: [documents]",
    "threshold: 90 %",
    "expect: { agents: [rag-agent], max_seconds: 9 }",
    "cases:",
    "  - { id: a, request: x, expect: { agents: { include: [data-agent] }, numbers: [EUR 1.9 million] } }",
  ]);
  expect(file).toMatchObject({
    threshold: 0.9,
    collection: "eval-a",
    ingest: [expect.stringMatching(/documents$/)],
    cases: [
      {
        repeats: 1,
        turns: [
          {
            expect: {
              agents: { isExact: false, names: ["data-agent"] },
              max_seconds: 9,
              numbers: [{ value: 1_900_000, unit: "EUR" }],
            },
          },
        ],
      },
    ],
  });
});

it("knows the lines of regular expressions", () => {
  const file = read([
    "cases:",
    "  - id: a",
    "    request: x",
    "    expect: { facts: [/one/, [two, /th.ree/i]] }",
    "  - { id: b, request: y, expect: { not: [/four/] } }",
  ]);
  expect([...file.lines.keys()]).toEqual(["/one/", "/th.ree/i", "/four/"]);
  expect(file.lines.get("/four/")).toBe((file.lines.get("/one/") ?? 0) + 1);
});

it("reports what is wrong with a long regular expression without repeating it", () => {
  const wrong = `/(${"a".repeat(500)}/`;
  expect(() => read([`cases: [{ id: a, request: x, expect: { facts: ["${wrong}"] } }]`])).toThrow(
    /case "a", expect\.facts\.0: is no regular expression: Unterminated group$/,
  );
});

it.each([
  ["28 days", "It is **28\u00a0days** [1] a year.", true],
  ["28 DAYS", "28 days", true],
  ["it’s", "It's so.", true],
  ["28 days", "27 days", false],
  ["/\\bno\\b/", "No, it is not.", true],
  ["/\\bno\\b/", "It is noted.", false],
])("finds %j in %j: %s", (pattern, text, found) => {
  expect(matcherOf(pattern)(text)).toBe(found);
});

it.each(readdirSync(examples).filter((name) => name.endsWith(".yaml")))("reads the example %s", (name) => {
  const { cases } = readEvalFile({ cwd: examples }, name);
  for (const { turns } of cases) for (const turn of turns) expect(turn.expect).not.toEqual({});
});

it("has 40 requests for the planner: 12 for several agents, 8 in a second turn, 4 for nobody", () => {
  const { cases } = readEvalFile({ cwd: examples }, "norrvik-planner.yaml");
  const agents = cases.map(({ turns }) => turns[0]?.expect.agents?.names.length);
  expect(cases).toHaveLength(40);
  expect(cases.every(({ planOnly }) => planOnly)).toBe(true);
  expect(agents.filter((number = 0) => number > 1)).toHaveLength(12);
  expect(cases.filter(({ given }) => given.length > 0)).toHaveLength(8);
  expect(agents.filter((number) => number === 0)).toHaveLength(4);
});

it("has every key in its documentation", () => {
  const page = readFileSync(join(repository, "docs", "eval.md"), "utf8");
  expect(KNOWN_KEYS.filter((key) => !page.includes(`\`${key}`))).toEqual([]);
});
