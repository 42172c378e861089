import { readChanges, readDelegationPrompt, readSubject, type ModelRequest } from "@troupe/core";
import { asksAgain, asksLength, asksSources, lengthAsked, questionsIn } from "@troupe/core/request";
import {
  finishCall,
  lastUserText,
  NO_SHORTER,
  sayNotUsed,
  toolResults,
  type Playbook,
  type PlaybookMove,
  type PlaybookResult,
} from "@troupe/models";
import { z } from "zod";

import { inSentences, isTrivial, MAX_FINDINGS, section, type Answered } from "./section.ts";

const suggestionsSchema = z.object({
  statements: z.array(
    z.object({
      title: z.string(),
      sql: z.string(),
      note: z.string(),
      partial: z.array(z.string()).default([]),
      rows: z.string(),
    }),
  ),
  unused: z.array(z.string()),
  notes: z.array(z.string()),
});
type Suggestions = z.output<typeof suggestionsSchema>;

/** Suggested statements, their results, a chart and the findings of each. It understands none of them. */
export const playbook: Playbook = (request) => {
  const { instruction } = readDelegationPrompt(lastUserText(request));
  const { changes } = readChanges(instruction);
  // A result has its table already, and names its file.
  const unused = changes.filter(
    (change) =>
      !(asksLength(change) || asksAgain(change) || asksSources(change) || /\btable\b/i.test(change)),
  );
  return sayNotUsed(move(request, instruction, changes.filter(asksLength)), unused);
};

function move(request: ModelRequest, instruction: string, lengths: readonly string[]): PlaybookMove {
  const question = questionOf(instruction);
  const { questions, unasked } = questionsIn(question);
  const asked = toolResults(request, "suggest_queries");
  if (asked.length === 0) {
    return {
      say: "Looking at the tables.",
      calls: questions.map((one) => ({ name: "suggest_queries", arguments: { question: one } })),
    };
  }
  const broken = asked.find((result) => result.isError);
  if (broken !== undefined) return give(`The data could not be read. ${broken.text}`);
  const { statements, unused, notes } = allOf(
    questions,
    asked.map(({ text }) => readSuggestions(text)),
    unasked,
  );
  if (statements.length === 0) {
    const said = [...unused, ...notes].join("\n");
    if (said === "") return cannot(request, question);
    return { calls: [finishCall({ content: said, complete: unused.length === 0 })] };
  }
  const queries = toolResults(request, "query_db");
  if (queries.length === 0) {
    return { calls: statements.map(({ sql }) => ({ name: "query_db", arguments: { sql } })) };
  }
  const good = statements.flatMap((statement, index) => withResult(statement, queries[index]));
  if (good.length === 0) return give(`The tables could not be queried. ${queries[0]?.text ?? ""}`);
  const charts = toolResults(request, "visualize");
  if (charts.length === 0) {
    return {
      calls: good.flatMap(({ title, resultId, partial }) => [
        { name: "visualize", arguments: { result_id: resultId, title } },
        {
          name: "analyze",
          arguments: { result_id: resultId, ...(partial.length === 0 ? {} : { partial: [...partial] }) },
        },
      ]),
    };
  }
  const analyses = toolResults(request, "analyze");
  const told = good.length === 1 ? good : good.filter((one) => !isTrivial(one));
  const given = told.map((one) => {
    const at = good.indexOf(one);
    return { one, chart: charts[at], analysis: analyses[at] };
  });
  const { text, chartIds, whole } = toLength(given, notes, lengths);
  const failed = [
    ...statements.flatMap((one, at) =>
      withResult(one, queries[at]).length > 0
        ? []
        : [{ call: `the query of "${one.title}"`, result: queries[at] }],
    ),
    ...given.flatMap(({ one, chart, analysis }) =>
      [
        { call: `the chart of "${one.title}"`, result: chart },
        { call: `the analysis of "${one.title}"`, result: analysis },
      ].filter(({ result }) => result?.isError !== false && one.count > 0),
    ),
  ];
  const notUsed = [...unused, ...failedLine(failed)];
  const content = [...(notUsed.length === 0 ? [] : [notUsed.join("\n")]), text].join("\n\n");
  // What was asked and not done makes the answer a part of one, whatever figures it has.
  return { calls: [finishCall({ content, chartIds, complete: notUsed.length === 0 && whole })] };
}

/** One line, which an agent that is handed the answer reads as what is missing in it. */
function failedLine(
  failed: readonly { readonly call: string; readonly result: PlaybookResult | undefined }[],
): readonly string[] {
  if (failed.length === 0) return [];
  const [first = ""] = failed.map(({ result }) =>
    result?.text.trim().split("\n", 1)[0]?.slice(0, MAX_REASON),
  );
  const why = first === "" ? "." : `: ${first.replace(/\.$/, "")}.`;
  return [`Not used: ${failed.map(({ call }) => call).join(", ")}, which failed${why}`];
}

/** Characters of the reason of a failed call. */
const MAX_REASON = 300;

/** Asked to be shorter it has half of the results with a finding each, then one finding alone; or as many as are named. */
function toLength(
  given: readonly {
    readonly one: Answered;
    readonly chart: PlaybookResult | undefined;
    readonly analysis: PlaybookResult | undefined;
  }[],
  notes: readonly string[],
  lengths: readonly string[],
): { readonly text: string; readonly chartIds: readonly string[]; readonly whole: boolean } {
  // Twice shorter is as short as it gets: 4, 2, 1.
  const { keep, enough, exact } = lengthAsked(lengths, AT_FULL_LENGTH);
  const short = exact || keep < AT_FULL_LENGTH / 2 ? inSentences(given, keep) : undefined;
  if (short !== undefined)
    return { text: enough ? short : `${short}\n\n${NO_SHORTER}`, chartIds: [], whole: enough };
  const shorter = lengths.length > 0;
  const shown = shorter ? given.slice(0, Math.ceil(given.length / 2)) : given;
  const sections = shown.map(({ one, chart, analysis }, index) =>
    section(one, chart, analysis, {
      notes: index === 0 ? notes : [],
      findings: shorter ? 1 : MAX_FINDINGS,
    }),
  );
  return {
    text: [...sections.map((one) => one.text), ...(enough ? [] : [NO_SHORTER])].join("\n\n"),
    chartIds: sections.flatMap((one) => one.charts),
    whole: enough,
  };
}

const AT_FULL_LENGTH = 4;

/** What is wanted: the subject a step is told, or its first line; the others say what it is for. */
function questionOf(instruction: string): string {
  const read = readSubject(instruction);
  if (read !== undefined) return read.subject;
  return instruction.trimStart().split("\n", 1)[0] ?? "";
}

function readSuggestions(text: string): Suggestions {
  try {
    const parsed = suggestionsSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: nothing was suggested.
  }
  return { statements: [], unused: [], notes: [] };
}

/** Of several questions what each was given, each statement and remark once; a question that was given nothing is named. */
function allOf(
  questions: readonly string[],
  given: readonly Suggestions[],
  unasked: readonly string[],
): Suggestions {
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  const statements = new Map(given.flatMap((one) => one.statements.map((each) => [each.sql, each])));
  const unread = questions.filter((_, at) => {
    const one = given[at];
    return one !== undefined && one.statements.length + one.unused.length + one.notes.length === 0;
  });
  const nothing = unread.length === given.length;
  return {
    statements: [...statements.values()],
    unused: [
      ...new Set(given.flatMap((one) => one.unused)),
      ...(nothing ? [] : unread.map(noRule)),
      ...(unasked.length === 0
        ? []
        : [`Not asked, since there were too many questions: ${unasked.join(" ")}`]),
    ],
    notes: [...new Set(given.flatMap((one) => one.notes))],
  };
}

const noRule = (question: string): string => `The built-in rules could not turn "${question}" into a query.`;

/** Shows what there is instead of guessing. */
function cannot(request: ModelRequest, question: string): ReturnType<Playbook> {
  const described = toolResults(request, "describe_data").at(-1);
  if (described === undefined) return { calls: [{ name: "describe_data", arguments: {} }] };
  const tables = described.isError ? "" : `\n\nWhat the tables hold:\n\n${described.text}`;
  return give(`${noRule(question)}${tables}`);
}

function give(content: string): ReturnType<Playbook> {
  return { calls: [finishCall({ content, complete: false })] };
}

function withResult(
  statement: Suggestions["statements"][number],
  result: PlaybookResult | undefined,
): readonly Answered[] {
  if (result === undefined || result.isError) return [];
  const head = /^([\w-]+): (\d+) rows?(?: from (.+))?/.exec(result.text);
  const [, resultId, count, source = ""] = head ?? [];
  if (resultId === undefined) return [];
  return [{ ...statement, resultId, source, count: Number(count), text: result.text }];
}
