import type { Delegation, EarlierTurn, StepResult } from "../ports/delegation.ts";
import { unreadFileNotes } from "../loop/unread-files.ts";
import { isObject } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";
import { allResults } from "./all-results.ts";
import { boundResults } from "./bound-results.ts";
import { CITE, EARLIER, EXPECTED, GOAL, OUTPUT, RESULT, TASK, UNREAD } from "./prompt-lines.ts";

const FRAME_SHARE = 0.1;
const MIN_FRAME = 200;
/** Characters of what was asked before. */
const MAX_ASKED = 500;
const NOT_KNOWN =
  "What they hold is not known: where the task needs it, the answer says that they were not read.";

/**
 * What a step is asked, as one prompt. What was asked before in its conversation is listed. The answer of each
 * dependency, and of each earlier step it builds on, stands in it once, unescaped, under
 * one line that names the step, its agent, its outcome, the ids of its citations, cited query results and charts, and ids that its tools
 * returned for later calls, such as a `presentation_id`.
 * That line takes at most 10 % of the answer or 200 characters, whichever is more (step ids of up
 * to 80 characters provided); ids that do not fit are counted. `readDelegationPrompt` reads it back.
 */
export function delegationPrompt(delegation: Delegation): string {
  const { objective, instruction, expectedOutput } = delegation;
  const parts = [TASK + instruction];
  if (objective !== "" && objective !== instruction) parts.unshift(GOAL + objective);
  if (expectedOutput !== "") parts.push(EXPECTED + expectedOutput);
  if (delegation.outputSchema) parts.push(OUTPUT + JSON.stringify(delegation.outputSchema));
  const unread = unreadFileNotes(delegation.unreadFiles ?? []);
  if (unread.length > 0) parts.push(`${UNREAD}${unread.map(oneLine).join("\n")}\n${NOT_KNOWN}`);
  const turns = delegation.earlier?.turns ?? [];
  if (turns.length > 0) parts.push(EARLIER + turns.map(turnLine).join("\n"));
  // Whoever delegates may hand over more than a model takes.
  const results = Object.values(boundResults(allResults(delegation)).results);
  const citing = results.filter((result) => result.citations.length + numbersOf(result).length > 0);
  const [first] = citing;
  const id = first?.citations[0]?.id ?? (first && numbersOf(first)[0]);
  if (first !== undefined && id !== undefined) {
    // An id alone is clear where only one step has any.
    const how = citing.length === 1 ? `by id, as [${id}]` : `by step and id, as [${first.stepId}/${id}]`;
    parts.push(`${CITE}${how}.`);
  }
  for (const result of results) parts.push(frame(result) + result.answer);
  return parts.join("\n\n");
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function turnLine({ turn, asked, outcome }: EarlierTurn): string {
  return `${turn}. (${outcome ?? "not ended"}) ${clip(oneLine(asked), MAX_ASKED)}`;
}

function frame(result: StepResult): string {
  const budget = Math.max(MIN_FRAME, Math.floor(result.answer.length * FRAME_SHARE));
  const { answerChars } = result.abridged ?? {};
  const part =
    answerChars === undefined
      ? ""
      : `; the first ${result.answer.length} of ${answerChars} characters, read_result reads on`;
  const head = `${RESULT}${result.stepId} (${result.agent.slice(0, 60)}, ${result.outcome}${part}`;
  const lists: readonly (readonly [label: string, ids: readonly string[]])[] = [
    ...toolIds(result),
    ["citations", result.citations.map((citation) => citation.id)],
    ["query results", numbersOf(result)],
    ["charts", (result.data?.charts ?? []).map((chart) => chart.id)],
    ["files", result.artifacts.map((artifact) => artifact.name)],
  ];
  let line = head;
  // The blank line between parts and the closing bracket count as framing.
  let left = budget - head.length - ")\n".length - "\n\n".length;
  for (const [label, ids] of lists) {
    const list = idList(label, ids, left);
    line += list;
    left -= list.length;
  }
  return `${line})\n`;
}

/** Numbers of the tables that the answer cites. */
const numbersOf = ({ data }: StepResult): readonly string[] =>
  (data?.tables ?? []).flatMap(({ number }) => number ?? []);

const MAX_TOOL_IDS = 3;

/** Ids in the data of tools by their argument, such as `presentation_id`: the step can go on with what they name. */
function toolIds({ data }: StepResult): readonly (readonly [label: string, ids: readonly string[]])[] {
  const { charts: _charts, tables = [], ...byTool } = data ?? {};
  // Tables are named where the answer rests on them.
  const named = new Set(tables.map(({ id }) => id));
  const found = new Map<string, Set<string>>();
  for (const value of Object.values(byTool)) {
    if (!isObject(value)) continue;
    for (const [name, id] of Object.entries(value)) {
      if (
        !/^[a-z]{1,30}_id$/.test(name) ||
        typeof id !== "string" ||
        !/^[\w-]{1,100}$/.test(id) ||
        named.has(id)
      )
        continue;
      found.set(name, (found.get(name) ?? new Set()).add(id));
    }
  }
  return [...found].slice(0, MAX_TOOL_IDS).map(([name, ids]) => [name, [...ids]]);
}

/** `; label a, b, +3 more`, at most `room` characters; empty when not even one id fits. */
function idList(label: string, ids: readonly string[], room: number): string {
  let text = "";
  for (const [index, id] of ids.entries()) {
    const next = text === "" ? `; ${label} ${id}` : `${text}, ${id}`;
    const rest = ids.length - index - 1;
    const more = rest === 0 ? 0 : `, +${rest} more`.length;
    if (next.length + more > room) return text === "" ? "" : `${text}, +${ids.length - index} more`;
    text = next;
  }
  return text;
}
