import type { AnswerEvidence, Tool, ToolContext, ToolOutput, ToolSource } from "@troupe/core";
import type { AdaptOptions, ReviewSentences } from "@troupe/service/agent";
import type { CheckFinding, Citation, Json, JsonObject, ResultTable } from "@troupe/stream";
import { z } from "zod";

const STATEMENTS = "powerpoint_list_statements";
const SAVE = "powerpoint_save_presentation";
/** Arguments of saving that the model does not write: what the review found, and what the run knows. */
const REVIEWED = "reviewed";
const KNOWN = "known";

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
 * reported like any finding: in the answer of the tool, in its data and in the notes of the slide. What the person wrote
 * and what earlier steps found goes along, for slides without sources.
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
        const reviewing = listing && review && { listing, review, reviewed };
        return {
          ...tool,
          definition: withoutHidden(tool.definition),
          execute: saveChecked(tool, reviewing),
        };
      });
    },
    close: () => source.close(),
  };
}

function withoutHidden(definition: Tool["definition"]): Tool["definition"] {
  const { [REVIEWED]: _, [KNOWN]: _known, ...shown } = propertiesOf(definition);
  return { ...definition, inputSchema: { ...definition.inputSchema, properties: shown } };
}

function propertiesOf({ inputSchema }: Tool["definition"]): JsonObject {
  return (inputSchema as { readonly properties?: JsonObject }).properties ?? {};
}

interface Review {
  readonly listing: Tool;
  readonly review: ReviewSentences;
  readonly reviewed: Reviewed;
}

function saveChecked(save: Tool, reviewing: Review | undefined): Tool["execute"] {
  return async (args, context) => {
    const { findings, usage } =
      reviewing === undefined ? NOTHING : await findingsOf(args, context, reviewing);
    const known = KNOWN in propertiesOf(save.definition) ? knownIn(context) : undefined;
    const parsed = save.parse({
      ...(args as JsonObject),
      ...(findings.length > 0 && { [REVIEWED]: findings }),
      ...(known !== undefined && { [KNOWN]: known }),
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

/** Bounds of what goes along with saving: a request over HTTP may have 4 MiB. */
const MAX_TEXTS = 500;
const MAX_KNOWN_CHARS = 800_000;
const MAX_TABLES = 50;
const MAX_TABLE_CHARS = 20_000;

/** The request, what tools and earlier steps found, as texts and tables; undefined outside a run. */
function knownIn({ evidence }: ToolContext): JsonObject | undefined {
  if (evidence === undefined) return undefined;
  const { given, citations, tables } = evidence();
  const passages = citations.map(({ document, section = "", passage, quote }) =>
    [document, section, passage ?? quote].join("\n"),
  );
  const texts: string[] = [];
  let left = MAX_KNOWN_CHARS;
  // Only figures and dates are compared.
  for (const text of [...given, ...passages].filter((one) => /\p{N}/u.test(one)).slice(0, MAX_TEXTS)) {
    texts.push(text.slice(0, left));
    left -= text.length;
    if (left <= 0) break;
  }
  const fitting = tables.filter((table) => JSON.stringify(table).length <= MAX_TABLE_CHARS);
  return { given: texts, tables: JSON.parse(JSON.stringify(fitting.slice(0, MAX_TABLES))) as Json };
}

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
