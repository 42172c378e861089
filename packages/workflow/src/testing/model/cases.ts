import { normalizeWorkflow } from "../../schema/normalize.ts";
import type { DagSpec } from "../../schema/spec.ts";
import { workflowSchema, type WorkflowInput } from "../../schema/workflow-schema.ts";

/** What becomes of a step once it has begun. */
export type Deed =
  | "completes"
  | "partial"
  /** Fails, and would fail each time. */
  | "fails"
  /** Fails once in a way that may pass. */
  | "flaky"
  /** Gives nothing until its time is up. */
  | "stuck"
  /** Asks a person, then completes. */
  | "asks"
  /** Its agent loses the work once, then completes. */
  | "lost"
  /** Its agent says that it was canceled there. */
  | "stopped"
  /** Done by a person. */
  | "person";

export interface ModelStep {
  readonly deed: Deed;
  readonly onFailure: "fail" | "skip" | "continue";
}

export interface ModelCase {
  readonly steps: readonly ModelStep[];
  readonly spec: DagSpec;
}

const POLICIES = ["fail", "skip", "continue"] as const;

/** Each deed, with each policy where that makes a difference. */
export function stepsOf(deeds: readonly Deed[]): readonly ModelStep[] {
  const failing: ReadonlySet<Deed> = new Set(["fails", "stuck", "stopped"]);
  return deeds.flatMap((deed) =>
    failing.has(deed)
      ? POLICIES.map((onFailure) => ({ deed, onFailure }))
      : [{ deed, onFailure: "fail" as const }],
  );
}

/** Every workflow of so many steps: what they do, who waits for whom, and with or without a bound of places. */
export function* casesOf(count: number, choices: readonly ModelStep[]): Generator<ModelCase> {
  const edges = (count * (count - 1)) / 2;
  for (const steps of tuples(count, choices))
    for (let graph = 0; graph < 2 ** edges; graph++)
      for (const maxParallel of count === 1 ? [undefined] : [undefined, 1])
        yield { steps, spec: specOf(steps, graph, maxParallel) };
}

function* tuples<T>(count: number, choices: readonly T[]): Generator<readonly T[]> {
  if (count === 0) yield [];
  else for (const rest of tuples(count - 1, choices)) for (const choice of choices) yield [...rest, choice];
}

/** Bit by bit, which earlier step each step waits for. */
function specOf(steps: readonly ModelStep[], graph: number, maxParallel: number | undefined): DagSpec {
  let bit = 0;
  const workflow: WorkflowInput = {
    version: 1,
    name: "model",
    mode: "parallel",
    steps: steps.map(({ deed, onFailure }, at) => ({
      id: `s${at}`,
      depends_on: steps.slice(0, at).flatMap((_, before) => ((graph >> bit++) & 1 ? [`s${before}`] : [])),
      on_failure: onFailure,
      ...(deed === "person"
        ? { kind: "human" as const, form: { fields: [{ field_name: "word" }] } }
        : {
            agent: `agent-${at}`,
            instruction: `do s${at}`,
            timeout_seconds: 5,
            retry: { attempts: deed === "flaky" ? 2 : 1, backoff_seconds: 0.01 },
          }),
    })),
    ...(maxParallel === undefined ? {} : { max_parallel: maxParallel }),
  };
  return normalizeWorkflow(workflowSchema.parse(workflow));
}
