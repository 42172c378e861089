import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { assertWorkflow, normalizeWorkflow } from "./normalize.ts";
import { describeIssue, validateWorkflow } from "./validate.ts";
import { workflowSchema, type WorkflowInput } from "./workflow-schema.ts";

const AGENTS = ["rag-agent", "data-agent", "ppt-agent"];
const form = { fields: [{ field_name: "ok" }] };

function issuesOf(steps: WorkflowInput["steps"], more: Partial<WorkflowInput> = {}): readonly string[] {
  const workflow = workflowSchema.parse({ version: 1, name: "w", steps, ...more });
  return validateWorkflow(workflow, AGENTS).map(describeIssue);
}
const step = (id: string, depends_on: string[] = []) => ({
  id,
  agent: "rag-agent",
  instruction: "do",
  depends_on,
});

describe("validateWorkflow", () => {
  it("looks for the nearest name only of as many as are told, and tells ten", () => {
    const steps = Array.from({ length: 12 }, (_, index) => step(`step${index}`, [`stp${index}`]));
    const near = issuesOf(steps).map((issue) => issue.includes("Did you mean"));
    expect(near).toEqual([...Array.from({ length: 10 }, () => true), false, false]);
    const workflow = workflowSchema.parse({ version: 1, name: "w", steps });
    expect(() => normalizeWorkflow(workflow)).toThrow(/"stp9"[\s\S]*\n {2}and 2 more$/);
  });

  it("takes no more dependencies than there can be steps", () => {
    const names = Array.from({ length: 101 }, () => "a");
    expect(workflowSchema.safeParse({ version: 1, name: "w", steps: [step("b", names)] }).success).toBe(
      false,
    );
  });

  it("takes no form that nobody fills in", () => {
    const fields = Array.from({ length: 201 }, (_, index) => ({ field_name: `f${index}` }));
    const ask = { kind: "human" as const, id: "ask", form: { fields } };
    const { error } = workflowSchema.safeParse({ version: 1, name: "w", steps: [ask] });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining("at most 200 fields"),
    ]);
  });

  it.each<[string, WorkflowInput["steps"], Partial<WorkflowInput>, readonly string[]]>([
    ["a valid one", [step("a"), step("b", ["a"])], {}, []],
    ["no steps", [], {}, ['(empty-steps): workflow "w" has no steps; add at least one']],
    [
      "an unknown agent",
      [{ agent: "rag-agnt", instruction: "x" }],
      {},
      ['step "rag-agnt" (unknown-agent): there is no agent "rag-agnt". Did you mean "rag-agent"?'],
    ],
    [
      "a cycle, shown along its steps",
      [step("a", ["c"]), step("b", ["a"]), step("c", ["b"])],
      {},
      ['step "a" (cycle): steps wait for each other: a -> c -> b -> a; remove one of these dependencies'],
    ],
    [
      "a missing dependency",
      [step("research"), step("deck", ["reserch"])],
      {},
      ['step "deck" (missing-dependency): depends on "reserch", which is no step. Did you mean "research"?'],
    ],
    [
      "a dependency on an earlier run",
      [step("research"), step("deck", ["turn1.research"])],
      {},
      [
        'step "deck" (missing-dependency): depends on "turn1.research", which is no step. A result of an earlier run is named in "earlier", without depends_on.',
      ],
    ],
    [
      "a step that depends on itself",
      [step("a", ["a"])],
      {},
      ['step "a" (self-dependency): "a" depends on itself; remove it from depends_on'],
    ],
    [
      "an id given twice",
      [step("a"), step("a")],
      {},
      ['step "a" (duplicate-id): two steps have the id "a"; ids must be unique'],
    ],
    [
      "two steps of one agent without ids",
      [
        { agent: "rag-agent", instruction: "x" },
        { agent: "rag-agent", instruction: "y" },
      ],
      {},
      [
        'step "step 1" (id-needed): agent "rag-agent" is not a unique name here; give the step an id',
        'step "step 2" (id-needed): agent "rag-agent" is not a unique name here; give the step an id',
      ],
    ],
    [
      "values taken in the place of an answer that are none",
      [
        { id: "ask", kind: "human", form, on_expiry: "default" },
        { ...step("b"), on_expiry: "default" },
      ],
      { final: "synthesize" },
      [
        'step "ask" (expiry): on_expiry: default needs a default_value in each required field: ok: is required.',
        'step "b" (expiry): only a human step has a form of its own; remove on_expiry: default',
      ],
    ],
    [
      "a step without an agent",
      [{ id: "a", instruction: "x" }],
      {},
      ['step "a" (agent-missing): an agent step needs an agent'],
    ],
    [
      "a step without an instruction",
      [{ agent: "rag-agent" }],
      {},
      ['step "rag-agent" (instruction-missing): an agent step needs an instruction'],
    ],
    [
      "a human step without form and id",
      [{ kind: "human" }],
      {},
      [
        'step "step 1" (form-missing): a human step needs a form with the fields to ask',
        'step "step 1" (id-needed): a human step has no agent to be named after; give the step an id',
      ],
    ],
    [
      "an output schema that cannot be used, or is asked of a person",
      [
        { ...step("a"), output_schema: { type: "string", pattern: "x" } },
        { id: "b", kind: "human", form, output_schema: {} },
      ],
      {},
      [
        'step "a" (output-schema): output_schema has "pattern", which is not supported; describe the answer without it',
        'step "b" (output-schema): only an agent step has an output_schema',
      ],
    ],
    [
      "a form on an agent step",
      [{ ...step("a"), form }],
      {},
      ['step "a" (form-unexpected): only a human step has a form; set kind: human or remove it'],
    ],
    [
      "a form that cannot be filled",
      [
        {
          id: "h",
          kind: "human",
          form: {
            fields: [{ field_name: "x" }, { field_name: "x" }, { field_name: "y", field_type: "select" }],
          },
        },
      ],
      {},
      [
        'step "h" (form-field): two fields are called "x"',
        'step "h" (form-field): field "y" is a select and needs field_values',
      ],
    ],
    [
      "passthrough with two last steps",
      [step("a"), step("b")],
      { final: "passthrough" },
      [
        "(passthrough-sink): final: passthrough needs one last step, but a, b all end the workflow; use final: synthesize or add a step that depends on them",
      ],
    ],
  ])("%s", (_name, steps, more, expected) => {
    expect(issuesOf(steps, more)).toEqual(expected);
  });

  it("is thrown with the file's name and every issue", () => {
    const workflow = workflowSchema.parse({
      version: 1,
      name: "w",
      steps: [{ agent: "nobody", instruction: "x" }],
    });
    expect(() => assertWorkflow(workflow, AGENTS, { file: "w.yaml" })).toThrow(
      'w.yaml cannot be run:\n  step "nobody" (unknown-agent): there is no agent "nobody". Known: rag-agent, data-agent, ppt-agent.',
    );
  });
});

describe("any graph", () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
    fc.array(fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 4 }), {
      minLength: size,
      maxLength: size,
    }),
  );

  it("is refused for a cycle exactly when it cannot be put in order", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const steps = edges.map((targets, index) =>
          step(
            `s${index}`,
            targets.filter((target) => target !== index).map((target) => `s${target}`),
          ),
        );
        const cyclic = issuesOf(steps).some((issue) => issue.includes("(cycle)"));
        const placed = new Set<string>();
        for (let moved = true; moved;) {
          const ready = steps.filter(
            (one) => !placed.has(one.id) && one.depends_on.every((id) => placed.has(id)),
          );
          for (const one of ready) placed.add(one.id);
          moved = ready.length > 0;
        }
        expect(cyclic).toBe(placed.size < steps.length);
      }),
    );
  });

  it("keeps ids unique and dependencies known once it is normalized", () => {
    fc.assert(
      fc.property(graph, fc.constantFrom("sequential" as const, "parallel" as const), (edges, mode) => {
        const steps = edges.map((targets, index) =>
          step(
            `s${index}`,
            targets.filter((target) => target < index).map((target) => `s${target}`),
          ),
        );
        const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", mode, steps }));
        const ids = spec.steps.map((one) => one.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(spec.steps.every((one) => one.dependsOn.every((id) => ids.includes(id)))).toBe(true);
      }),
    );
  });
});

describe("normalizeWorkflow", () => {
  it("chains sequential steps, except those that say themselves what they depend on", () => {
    const steps: WorkflowInput["steps"] = [
      { agent: "rag-agent", instruction: "x" },
      { agent: "data-agent", instruction: "x", depends_on: [] },
      { agent: "ppt-agent", instruction: "x" },
      {
        id: "end",
        agent: "ppt-agent",
        instruction: "x",
        depends_on: ["rag-agent", "ppt-agent", "rag-agent"],
      },
    ];
    const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps }));
    expect(spec.steps.map((one) => [one.id, one.dependsOn])).toEqual([
      ["rag-agent", []],
      ["data-agent", []],
      ["ppt-agent", ["data-agent"]],
      ["end", ["rag-agent", "ppt-agent"]],
    ]);
  });

  it("fills in what a form leaves out", () => {
    const steps = [{ id: "ask", kind: "human" as const, instruction: "Choose.", form }];
    const spec = normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps }));
    expect(spec.steps[0]).toMatchObject({
      agent: "",
      form: {
        title: "ask",
        description: "Choose.",
        fields: [
          { field_name: "ok", field_label: "ok", field_type: "text", required: true, default_value: null },
        ],
      },
    });
  });
});

it("gives each question the time of its step, of the workflow, or of where it runs", () => {
  const steps = [{ ...step("a"), expires_seconds: 1.5 }, step("b")];
  const expiries = (more: Partial<WorkflowInput>, options = {}) =>
    normalizeWorkflow(workflowSchema.parse({ version: 1, name: "w", steps, ...more }), options).steps.map(
      ({ expiresMs }) => expiresMs,
    );
  expect(expiries({})).toEqual([1_500, undefined]);
  expect(expiries({ expires_seconds: 60 }, { questionsExpireMs: 5 })).toEqual([1_500, 60_000]);
  expect(expiries({}, { questionsExpireMs: 5 })).toEqual([1_500, 5]);
});
