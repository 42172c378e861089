import { InputError, isTroupeError } from "@troupe/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { normalizeWorkflow } from "./normalize.ts";
import { parseWorkflow } from "./parse.ts";
import { workflowSchema } from "./workflow-schema.ts";

const DECK = `version: 1
name: deck
mode: parallel
steps:
  - id: research
    agent: rag-agent
    instruction: Find the strategy
  - agent: data-agent
    instruction: Sum the sales
    retry:
      attempts: 2
  - id: deck
    agent: ppt-agent
    instruction: Make the deck
    depends_on: [research, data-agent]
    timeout_seconds: 600
final: passthrough
`;

function issuesOf(text: string, format: "yaml" | "json" = "yaml"): readonly string[] {
  try {
    parseWorkflow(text, { file: "deck.yaml", format });
  } catch (error) {
    if (error instanceof InputError) return error.issues;
    throw error;
  }
  return [];
}

describe("parseWorkflow", () => {
  it("reads YAML and JSON to the same workflow with its defaults", () => {
    const workflow = parseWorkflow(DECK);
    expect(workflow.steps[1]).toEqual({
      kind: "agent",
      agent: "data-agent",
      instruction: "Sum the sales",
      expected_output: "",
      allowed_tools: [],
      limits: {},
      retry: { attempts: 2, backoff_seconds: 1 },
      on_failure: "fail",
    });
    expect(parseWorkflow(JSON.stringify(workflow), { format: "json" })).toEqual(workflow);
  });

  it("reads a plain list of steps as a workflow, and names line and step of what is wrong in it", () => {
    const list = "- agent: rag-agent\n  instruction: Look\n- agent: data-agent\n  instruction: Sum\n";
    expect(parseWorkflow(list)).toMatchObject({
      version: 1,
      name: "Workflow",
      mode: "sequential",
      steps: [{ agent: "rag-agent" }, { agent: "data-agent", instruction: "Sum" }],
    });
    expect(issuesOf(list.replace("instruction: Sum", "instructions: Sum"))).toEqual([
      'line 4, step 2 (data-agent): unknown key "instructions". Did you mean "instruction"?',
    ]);
    expect(() => parseWorkflow("[]", { structure: true })).toThrow("has no steps; add at least one");
    expect(() => parseWorkflow(list.replace("data-agent", "rag-agent"), { structure: true })).toThrow(
      /line 1, .*id-needed/,
    );
  });

  it("says of each key that is required and not there that it is missing", () => {
    expect(issuesOf("mode: parallel")).toEqual([
      "line 1, version: is missing; add it",
      "line 1, name: is missing; add it",
      "line 1, steps: is missing; add it",
    ]);
    expect(issuesOf(DECK.replace("name: deck", "name: 5"))).toEqual([
      "line 2, name: Invalid input: expected string, received number",
    ]);
    const form = { fields: [{ field_label: "Who?" }] };
    const asks = { version: 1, name: "w", steps: [{ id: "who", kind: "human", form }] };
    expect(issuesOf(JSON.stringify(asks))).toEqual([
      'line 1, step "who", form.fields.0.field_name: is missing; add it',
    ]);
  });

  it("names file, line, step, key and the nearest one for an unknown key", () => {
    const text = DECK.replace("    instruction: Sum the sales", "    instructions: Sum the sales");
    expect(issuesOf(text)).toEqual([
      'line 9, step 2 (data-agent): unknown key "instructions". Did you mean "instruction"?',
    ]);
    expect(() => parseWorkflow(text, { file: "deck.yaml" })).toThrow(/^deck\.yaml is not a valid workflow:/);
  });

  it.each(["when", "map"])("keeps %s for a later version", (key) => {
    expect(issuesOf(DECK.replace("    timeout_seconds: 600", `    ${key}: "x"`))).toEqual([
      `line 16, step "deck": key "${key}" is reserved for a later version; remove it`,
    ]);
  });

  it("names the place inside a step for a bad value", () => {
    expect(issuesOf(DECK.replace("attempts: 2", "attempts: 99"))[0]).toMatch(
      /^line 11, step 2 \(data-agent\), retry\.attempts: /,
    );
    expect(issuesOf(DECK.replace("version: 1", "version: 2"))[0]).toMatch(/^line 1, version: /);
    expect(issuesOf(DECK.replace("id: research", "id: re/search"))[0]).toMatch(
      /^line 5, step "re\/search", id: /,
    );
  });

  it("tells the line of broken YAML, of a key given twice and of broken JSON", () => {
    expect(issuesOf("version: 1\nname: [a\n")[0]).toMatch(/^line \d+: /);
    expect(issuesOf('version: 1\nname: a\n"name": b\nsteps: [{id: a, id: b}]\n')).toEqual([
      'line 3: key "name" is given twice',
      'line 4: key "id" is given twice',
    ]);
    expect(issuesOf('{"version": 1,}', "json")[0]).toMatch(/^not valid JSON: /);
  });

  it("refuses what is empty, not a map, far too long, or grows when it is read", () => {
    for (const text of ["", "null", "just text", "42"])
      expect(issuesOf(text)).toEqual(["A workflow file holds a list of steps or a mapping with `steps`."]);
    expect(() => parseWorkflow("#".repeat(200_001))).toThrow(/limit is 200000/);
    const bomb = [
      "a: &a [x]",
      ..."bcdefghij".split("").map((c, i) => `${c}: &${c} [${`*${"abcdefghij"[i]},`.repeat(9)}]`),
    ];
    expect(issuesOf(bomb.join("\n"))).not.toEqual([]);
  });

  it("throws nothing but InputErrors, whatever the text", () => {
    const pieces = fc.constantFrom(
      "version: 1",
      "name: x",
      "steps:",
      "  - agent: a",
      "    when: 1",
      "?",
      "&a",
      "*a",
      "{",
      "!!js x",
      "\t",
      ": ",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((lines) => lines.join("\n")),
      fc.json(),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("yaml" as const, "json" as const), (input, format) => {
        let thrown: unknown;
        try {
          parseWorkflow(input, { format });
        } catch (error) {
          thrown = error;
        }
        expect(thrown === undefined || isTroupeError(thrown)).toBe(true);
      }),
    );
  });

  it("tells the first of many problems, each once", () => {
    const many = Array.from({ length: 30 }, (_, index) => `k${index}: 1`).join("\n");
    expect(() => parseWorkflow(many)).toThrow(/unknown key "k0"[\s\S]*\n {2}and \d+ more$/);
    let message = "";
    try {
      parseWorkflow("[".repeat(5_000));
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split("\n").length).toBeLessThan(15);
  });

  it("refuses the name of a field that a terminal would show as another one", () => {
    const issues = (field_name: string) =>
      issuesOf(
        JSON.stringify({
          version: 1,
          name: "n",
          steps: [{ id: "ask", kind: "human", form: { fields: [{ field_name }] } }],
        }),
      );
    for (const name of "\n,\t,\u0007,\u061c,\u200e,\u200f,\u202e,\u2028,\u2029,\u2066"
      .split(",")
      .map((one) => `audi${one}ence`))
      expect(issues(name)).toEqual([
        'line 1, step "ask", form.fields.0.field_name: must have no control characters, such as line breaks',
      ]);
    expect(issues("Für wen? (a-z) 😀")).toEqual([]);
  });

  it("quotes no more of a name than anybody would read", () => {
    const long = "x".repeat(50_000);
    const step = { agent: "a", instruction: "Do it." };
    const workflows = [
      { steps: [{ ...step, id: long }] },
      { steps: [{ agent: long, instruction: 1 }] },
      { steps: [{ agent: long, instruction: "" }] },
      { steps: [{ ...step, [long]: 1 }] },
      { steps: [{ ...step, depends_on: [long] }] },
      {
        steps: [
          { kind: "human", id: "h", form: { fields: [long, long].map((field_name) => ({ field_name })) } },
        ],
      },
    ];
    for (const workflow of workflows) {
      const text = JSON.stringify({ version: 1, name: "n", ...workflow });
      const read = () => parseWorkflow(text, { file: "deck.yaml", structure: true });
      expect(read).toThrow(`${"x".repeat(79)}…`);
      expect(read).toThrow(
        expect.objectContaining({ message: expect.stringMatching(/^[^]{1,500}$/) as string }),
      );
    }
  });

  it("looks up no more lines than it tells, and compares no key with each other one", () => {
    const many = Array.from({ length: 17_000 }, (_, index) => `k${index}: 1`).join("\n");
    const issues = issuesOf(many);
    expect(issues).toHaveLength(11);
    // Three keys are missing and seven of those that are not known are told.
    expect(issues.slice(3, 4)).toEqual([expect.stringMatching(/^line 1: unknown key "k0"/)]);
    expect(issues.at(-1)).toBe("and 16993 more");
    const twice = issuesOf("k: 1\n".repeat(30_000));
    expect(twice.slice(0, 1)).toEqual(['line 2: key "k" is given twice']);
    expect(twice.at(-1)).toBe("and 29989 more");
  });

  it.each([
    ["a list in a list, and so on", "- ".repeat(100_000)],
    ["brackets", `a: ${"[".repeat(99_000)}${"]".repeat(99_000)}`],
    ["a few too many", `a: ${"[".repeat(101)}${"]".repeat(101)}`],
    ["maps", "{a: ".repeat(50_000)],
  ])("says of %s that it is nested too deep", (_what, text) => {
    expect(issuesOf(text)[0]).toMatch(/nested too deep$/);
  });

  it("tells the line of a step that fits no other, where it is asked to look", () => {
    const text =
      "version: 1\nname: w\nsteps:\n  - id: a\n    agent: x\n    instruction: do\n  - id: b\n    agent: x\n    instruction: do\n    depends_on: [c]\n";
    expect(parseWorkflow(text).steps).toHaveLength(2);
    expect(() => parseWorkflow(text, { file: "my.yaml", structure: true })).toThrow(
      'my.yaml cannot be run:\n  line 7, step "b" (missing-dependency): depends on "c", which is no step.',
    );
    expect(() => parseWorkflow("version: 1\nname: w\nsteps: []\n", { structure: true })).toThrow(
      '(empty-steps): workflow "w" has no steps',
    );
  });

  it("finds a workflow again that was written out, and runs it the same", () => {
    const step = fc.record({
      agent: fc.constantFrom("a", "b", "c"),
      instruction: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
      on_failure: fc.constantFrom("fail", "skip", "continue"),
      timeout_seconds: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.constantFrom("sequential", "parallel"),
        (steps, mode) => {
          const named = steps.map((one, index) => ({ ...one, id: `s${index}` }));
          const workflow = workflowSchema.parse({ version: 1, name: "w", mode, steps: named });
          const again = parseWorkflow(JSON.stringify(workflow), { format: "json" });
          expect(again).toEqual(workflow);
          const spec = normalizeWorkflow(again);
          for (const [index, one] of spec.steps.entries()) {
            const before = spec.steps[index - 1]?.id;
            expect(one.dependsOn).toEqual(mode === "sequential" && before !== undefined ? [before] : []);
          }
          expect(spec.final).toBe(mode === "sequential" || steps.length === 1 ? "passthrough" : "synthesize");
        },
      ),
    );
  });
});
