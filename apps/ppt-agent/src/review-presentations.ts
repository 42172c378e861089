import type { AnswerEvidence, Tool, ToolContext, ToolOutput, ToolSource } from "@troupe/core";
import type { AdaptOptions, ReviewSentences } from "@troupe/service/agent";
import type { CheckFinding, Citation, Json, JsonObject, ResultTable } from "@troupe/stream";
import { z } from "zod";

const STATEMENTS = "powerpoint_list_statements";
const SAVE = "powerpoint_save_presentation";
/** Argument of saving with what the review found. */
const REVIEWED = "reviewed";

/** What `powerpoint_list_statements` returns. */
const statementsSchema = z.object({
  statements: z.array(
    z.object({
      slide: z.number(),
      place: z.string(),
      text: z.string(),
      passages: z.array(z.number()),
      charts: z.array(z.number()).default([]),
    }),
  ),
  passages: z.array(z.object({ document: z.string(), text: z.string() })),
  charts: z
    .array(
      z.object({
        title: z.string(),
        columns: z.array(z.string()),
        rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      }),
    )
    .default([]),
});
type Statements = z.infer<typeof statementsSchema>;

/** Reviewed statements by `keyOf`. `finding` is undefined if the review found nothing. */
type Reviewed = Map<string, { readonly finding: CheckFinding | undefined } & Evidence>;

/** Statements that are remembered, so that saving again asks only about what changed. */
const MAX_REMEMBERED = 2_000;

/**
 * The tools of the presentation server, where saving has the model review the statements of the slides against the
 * passages and charts they rest on first: negations, comparisons and swapped subjects, which rules cannot see. What it finds is
 * reported like any finding: in the answer of the tool, in its data and in the notes of the slide.
 */
export function reviewPresentations(source: ToolSource, { review }: AdaptOptions): ToolSource {
  const reviewed: Reviewed = new Map();
  return {
    name: source.name,
    overview: async (request, options) => source.overview?.(request, options),
    async list(options) {
      const tools = await source.list(options);
      const listing = tools.find(({ definition }) => definition.name === STATEMENTS);
      const others = tools.filter((tool) => tool !== listing);
      return others.map((tool) => {
        if (tool.definition.name !== SAVE) return tool;
        const plain = { ...tool, definition: withoutReviewed(tool.definition) };
        return listing === undefined || review === undefined
          ? plain
          : { ...plain, execute: saveReviewed(tool, { listing, review, reviewed }) };
      });
    },
    close: () => source.close(),
  };
}

/** The argument is for the review alone. */
function withoutReviewed(definition: Tool["definition"]): Tool["definition"] {
  const { properties = {} } = definition.inputSchema as { readonly properties?: JsonObject };
  const { [REVIEWED]: _, ...shown } = properties;
  return { ...definition, inputSchema: { ...definition.inputSchema, properties: shown } };
}

interface Review {
  readonly listing: Tool;
  readonly review: ReviewSentences;
  readonly reviewed: Reviewed;
}

function saveReviewed(save: Tool, { listing, review, reviewed }: Review): Tool["execute"] {
  return async (args, context) => {
    const { findings, usage } = await findingsOf(args, context, { listing, review, reviewed });
    const parsed = save.parse({
      ...(args as JsonObject),
      ...(findings.length > 0 && { [REVIEWED]: findings }),
    });
    const output = await save.execute(parsed.ok ? parsed.value : args, context);
    return usage.length === 0 ? output : { ...output, usage: [...(output.usage ?? []), ...usage] };
  };
}

/** What the review finds, now or before. A review that fails keeps nobody from saving. */
async function findingsOf(
  args: Json,
  context: ToolContext,
  { listing, review, reviewed }: Review,
): Promise<{ readonly findings: readonly JsonObject[]; readonly usage: NonNullable<ToolOutput["usage"]> }> {
  const { presentation_id = null } = args as JsonObject;
  try {
    const asked = listing.parse({ presentation_id });
    if (!asked.ok) return NOTHING;
    const { data } = await listing.execute(asked.value, context);
    const listed = statementsSchema.safeParse(data);
    if (!listed.success) return NOTHING;
    const fresh = listed.data.statements.filter((one) => !isKnown(evidenceOf(one, listed.data), reviewed));
    const usage = fresh.length === 0 ? [] : await ask(fresh, listed.data, { review, reviewed }, context);
    const findings = listed.data.statements.flatMap((one) => {
      const finding = reviewed.get(keyOf(evidenceOf(one, listed.data)))?.finding;
      return finding === undefined
        ? []
        : [{ slide: one.slide, place: one.place, kind: finding.kind, words: finding.detail }];
    });
    return { findings, usage };
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn("the slides could not be reviewed by the model", { error });
    return NOTHING;
  }
}

const NOTHING = { findings: [], usage: [] };

type Statement = Statements["statements"][number];

interface Evidence {
  readonly text: string;
  /** The passages and charts the statement rests on, as JSON. */
  readonly evidence: readonly string[];
}

const evidenceOf = ({ text, passages: cited, charts: drawn }: Statement, of: Statements): Evidence => ({
  text,
  evidence: [...cited.map((at) => of.passages[at]?.text), ...drawn.map((at) => of.charts[at])].map(
    (one) => JSON.stringify(one) ?? "",
  ),
});

const keyOf = ({ text, evidence }: Evidence): string => JSON.stringify([text, evidence]);

/**
 * Whether a statement needs no new review. One without a finding stays so when its slide gets more sources, but more
 * sources may resolve a finding.
 */
function isKnown(statement: Evidence, reviewed: Reviewed): boolean {
  if (reviewed.has(keyOf(statement))) return true;
  return [...reviewed.values()].some(
    ({ text, evidence, finding }) =>
      finding === undefined &&
      text === statement.text &&
      evidence.every((one) => statement.evidence.includes(one)),
  );
}

async function ask(
  statements: readonly Statement[],
  listed: Statements,
  { review, reviewed }: Omit<Review, "listing">,
  { signal }: ToolContext,
): Promise<NonNullable<ToolOutput["usage"]>> {
  const { passages, charts } = listed;
  const evidence: AnswerEvidence = {
    citations: passages.map(asCitation),
    tables: charts.map(asTable),
    given: [],
  };
  const checks = statements.map(({ text, passages: cited, charts: drawn }) => ({
    sentence: `${text.replaceAll(/[[\]]/g, " ")} ${[
      ...cited.map((at) => `[${at + 1}]`),
      ...drawn.map((at) => `[${chartId(at)}]`),
    ].join("")}`,
    status: "verified" as const,
  }));
  const found = await review(checks, evidence, { signal });
  for (const [index, statement] of statements.entries()) {
    const basis = evidenceOf(statement, listed);
    reviewed.set(keyOf(basis), { ...basis, finding: found.checks[index]?.finding });
    const [oldest] = reviewed.keys();
    if (reviewed.size > MAX_REMEMBERED && oldest !== undefined) reviewed.delete(oldest);
  }
  return found.usage;
}

const chartId = (index: number): string => `chart-${index + 1}`;

function asTable(chart: Statements["charts"][number], index: number): ResultTable {
  return { id: chartId(index), ...chart };
}

function asCitation({ document, text }: Statements["passages"][number], index: number): Citation {
  return {
    id: String(index + 1),
    document,
    source: document,
    collection: "",
    chunkId: String(index + 1),
    quote: "",
    passage: text,
    start: 0,
    end: text.length,
  };
}
