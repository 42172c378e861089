import type { TraceArtifact } from "./artifacts.ts";
import type { Trace } from "./trace.ts";

/** Two figures side by side; null where one has none, or a ratio would be to nothing. */
export interface ComparedFigure {
  readonly figure: FigureName;
  readonly unit: "ms" | "percent" | "count" | "bytes";
  readonly a: number | null;
  readonly b: number | null;
  /** b - a */
  readonly difference: number | null;
  /** b / a */
  readonly ratio: number | null;
}

export type FigureName = (typeof FIGURES)[number][0];

/** As much of a trace as is compared. */
export type ComparedTrace = Pick<
  Trace,
  | "firstEvent"
  | "firstText"
  | "firstNarration"
  | "firstAnswer"
  | "firstTool"
  | "end"
  | "events"
  | "tools"
  | "bytes"
  | "outcome"
> & {
  readonly longestSilence: Pick<NonNullable<Trace["longestSilence"]>, "ms"> | null;
  readonly answer: Pick<Trace["answer"], "text" | "characters" | "gradual">;
  readonly artifacts: readonly ComparedArtifact[];
  readonly violations: readonly { readonly rule: string }[];
};

/** Traces that were saved by earlier versions have names and roles only. */
type ComparedArtifact = Pick<TraceArtifact, "name" | "role"> &
  Partial<Pick<TraceArtifact, "parts" | "finalAnswer" | "narration">>;

/** What the artifacts of a stream are, whatever their text says. */
export interface ArtifactSummary {
  /** Number of artifacts by name, in the order they came. */
  readonly types: { readonly [name: string]: number };
  /** Of all artifacts; null where the trace does not say. */
  readonly parts: TraceArtifact["parts"] | null;
  /** Whether any artifact carries the flag; null where the trace does not say. */
  readonly isFinalAnswer: boolean | null;
  readonly isNarration: boolean | null;
  readonly executionPlan: boolean;
  /** Name of the last artifact that holds the result; empty without one. */
  readonly finalArtifact: string;
}

/** What `troupe compare --json` prints. */
export interface Comparison {
  readonly v: 1;
  readonly kind: "a2a-comparison";
  readonly figures: readonly ComparedFigure[];
  readonly outcomes: readonly [string, string];
  readonly artifacts: readonly [ArtifactSummary, ArtifactSummary];
  /** Letter by letter; null where neither said anything. */
  readonly answersEqual: boolean | null;
}

const FIGURES = [
  ["first event", "ms", (trace) => trace.firstEvent],
  ["first text", "ms", (trace) => trace.firstText],
  ["first narration", "ms", (trace) => trace.firstNarration],
  ["first answer token", "ms", (trace) => trace.firstAnswer],
  ["first tool", "ms", (trace) => trace.firstTool?.t ?? null],
  ["end", "ms", (trace) => trace.end],
  ["longest silence", "ms", (trace) => trace.longestSilence?.ms ?? null],
  ["streamed gradually", "percent", gradualShare],
  ["answer characters", "count", (trace) => trace.answer.characters],
  ["events", "count", (trace) => trace.events],
  ["artifacts", "count", (trace) => trace.artifacts.length],
  ["tool calls", "count", (trace) => trace.tools],
  ["bytes", "bytes", (trace) => trace.bytes],
  ["rules broken", "count", (trace) => broken(trace).length],
] as const satisfies readonly (readonly [
  string,
  ComparedFigure["unit"],
  (trace: ComparedTrace) => number | null,
])[];

/** Percent of the answer that was streamed gradually, 0 to 100; null where there is no answer. */
export function gradualShare({ answer }: Pick<ComparedTrace, "answer">): number | null {
  return answer.characters === 0 ? null : (100 * answer.gradual) / answer.characters;
}

/** The rules broken on the way. Not to close an artifact is a habit of many servers, and listed apart. */
export function broken<V extends { readonly rule: string }>({
  violations,
}: {
  readonly violations: readonly V[];
}): readonly V[] {
  return violations.filter(({ rule }) => rule !== "left-open");
}

/** Figure by figure, in a fixed order; times in milliseconds from when each request was sent. */
export function compareTraces(a: ComparedTrace, b: ComparedTrace): Comparison {
  return {
    v: 1,
    kind: "a2a-comparison",
    figures: FIGURES.map(([figure, unit, of]) => {
      const [first, second] = [of(a), of(b)];
      const both = first !== null && second !== null;
      return {
        figure,
        unit,
        a: first,
        b: second,
        difference: both ? second - first : null,
        ratio: both && first !== 0 ? second / first : null,
      };
    }),
    outcomes: [a.outcome, b.outcome],
    artifacts: [summarizeArtifacts(a.artifacts), summarizeArtifacts(b.artifacts)],
    answersEqual: a.answer.text === "" && b.answer.text === "" ? null : a.answer.text === b.answer.text,
  };
}

function summarizeArtifacts(artifacts: readonly ComparedArtifact[]): ArtifactSummary {
  const types = new Map<string, number>();
  for (const { name } of artifacts) types.set(name, (types.get(name) ?? 0) + 1);
  const counted = artifacts.flatMap(({ parts }) => parts ?? []);
  const known = counted.length === artifacts.length;
  const sum = (kind: "text" | "data" | "file"): number =>
    counted.reduce((total, parts) => total + parts[kind], 0);
  return {
    types: Object.fromEntries(types),
    parts: known ? { text: sum("text"), data: sum("data"), file: sum("file") } : null,
    isFinalAnswer: known ? artifacts.some(({ finalAnswer }) => finalAnswer === true) : null,
    isNarration: known ? artifacts.some(({ narration }) => narration === true) : null,
    executionPlan: artifacts.some(({ role }) => role === "plan"),
    finalArtifact: artifacts.findLast(({ role }) => role === "result")?.name ?? "",
  };
}
