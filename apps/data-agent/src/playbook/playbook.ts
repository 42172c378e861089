import { readDelegationPrompt, type ModelRequest } from "@troupe/core";
import { finishCall, lastUserText, toolResults, type Playbook, type PlaybookResult } from "@troupe/models";
import { z } from "zod";

const MAX_FINDINGS = 3;

const suggestionsSchema = z.array(z.object({ title: z.string(), sql: z.string(), note: z.string() }));
type Suggestion = z.output<typeof suggestionsSchema>[number];

/** Suggested statements, their results, a chart and the findings of each. It understands none of them. */
export const playbook: Playbook = (request) => {
  const question = questionOf(request);
  const asked = toolResults(request, "suggest_queries").at(-1);
  if (asked === undefined) {
    return {
      say: "Looking at the tables.",
      calls: [{ name: "suggest_queries", arguments: { question } }],
    };
  }
  if (asked.isError) return give(`The data could not be read. ${asked.text}`);
  const suggestions = readSuggestions(asked.text);
  if (suggestions.length === 0) return cannot(request, question);
  const queries = toolResults(request, "query_db");
  if (queries.length === 0) {
    return { calls: suggestions.map(({ sql }) => ({ name: "query_db", arguments: { sql } })) };
  }
  const good = suggestions.flatMap((suggestion, index) => withResult(suggestion, queries[index]));
  if (good.length === 0) return give(`The tables could not be queried. ${queries[0]?.text ?? ""}`);
  const charts = toolResults(request, "visualize");
  if (charts.length === 0) {
    return {
      calls: good.flatMap(({ title, resultId }) => [
        { name: "visualize", arguments: { result_id: resultId, title } },
        { name: "analyze", arguments: { result_id: resultId } },
      ]),
    };
  }
  const analyses = toolResults(request, "analyze");
  const sections = good.map((one, index) => section(one, charts[index], analyses[index]));
  const content = sections.map((one) => one.text).join("\n\n");
  return { calls: [finishCall({ content, chartIds: sections.flatMap((one) => one.charts) })] };
};

/** What is wanted: the first line of what a step is told, the others say what it is for. */
function questionOf(request: ModelRequest): string {
  const { instruction } = readDelegationPrompt(lastUserText(request));
  return instruction.trimStart().split("\n", 1)[0] ?? "";
}

function readSuggestions(text: string): readonly Suggestion[] {
  try {
    const parsed = suggestionsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** Shows what there is instead of guessing. */
function cannot(request: ModelRequest, question: string): ReturnType<Playbook> {
  const described = toolResults(request, "describe_data").at(-1);
  if (described === undefined) return { calls: [{ name: "describe_data", arguments: {} }] };
  const tables = described.isError ? "" : `\n\nWhat the tables hold:\n\n${described.text}`;
  return give(`No rule of mine makes a statement out of "${question}".${tables}`);
}

function give(content: string): ReturnType<Playbook> {
  return { calls: [finishCall({ content, complete: false })] };
}

interface Answered extends Suggestion {
  readonly resultId: string;
}

function withResult(suggestion: Suggestion, result: PlaybookResult | undefined): readonly Answered[] {
  const resultId = result?.isError === false ? /^([\w-]+): \d/.exec(result.text)?.[1] : undefined;
  return resultId === undefined ? [] : [{ ...suggestion, resultId }];
}

/** A heading with its chart, what the analysis found, and what was left out on purpose. */
function section(
  one: Answered,
  chart: PlaybookResult | undefined,
  analysis: PlaybookResult | undefined,
): { readonly text: string; readonly charts: readonly string[] } {
  const id = chart?.isError === false ? /^\[(chart-\d+)\]/.exec(chart.text)?.[1] : undefined;
  const findings = analysis?.isError === false ? findingsOf(analysis.text) : [];
  const lines = [
    `## ${one.title}${id === undefined ? "" : ` [${id}]`}`,
    ...findings.slice(0, MAX_FINDINGS).map((finding) => `- ${finding}`),
    ...(one.note === "" ? [] : [`- ${one.note}`]),
  ];
  return { text: lines.join("\n"), charts: id === undefined ? [] : [id] };
}

function findingsOf(text: string): readonly string[] {
  const block = /^Findings:\n((?:- .*\n?)*)/m.exec(text)?.[1] ?? "";
  return block
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .map((line) => line.slice(2));
}
