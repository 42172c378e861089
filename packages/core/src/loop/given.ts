import type { Json } from "@troupe/stream";

import { hasFinding } from "../answer/correct-answer.ts";
import { NOT_ACCEPTED } from "../answer/findings-text.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { StepResult } from "../ports/delegation.ts";
import type { ModelMessage } from "../ports/model.ts";

/** Strings of the arguments of one call that are looked for in its result; with more, nothing of it is given. */
const MAX_PIECES = 500;
/** A word of at most so many letters behind a figure is its unit, such as `MWh` and `EUR`. */
const MAX_UNIT = 3;

/** The person's own words: the request, their earlier turns, and of a delegation the objective. */
export function writtenByPerson({ text, history, delegation }: AgentRequest): readonly string[] {
  const turns = history.flatMap((turn) => (turn.role === "user" ? [turn.text] : []));
  // The text beside a delegation is made from it; instructions are written by the model that planned the workflow.
  if (delegation === undefined) return [...turns, text];
  const asked = delegation.earlier?.turns.map((turn) => turn.asked) ?? [];
  return [...turns, ...asked, delegation.objective];
}

/** Of the agent's earlier answers, what was checked and holds. */
export function givenByHistory({ history }: AgentRequest): readonly string[] {
  return history.flatMap(({ role, text, checks = [] }) =>
    role === "agent" && checks.length > 0 ? [checkedPart(text, checks, false)] : [],
  );
}

/** The same of a run that was suspended before this was kept with it: what people and tools wrote. */
export function givenInMessages(messages: readonly ModelMessage[], request: AgentRequest): readonly string[] {
  const args = new Map(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? message.toolCalls.map((call) => [call.callId, parsed(call.arguments)] as const)
        : [],
    ),
  );
  // The first message of a delegated run holds the instruction and the results of other steps.
  const asked = request.delegation === undefined ? messages : messages.slice(1);
  const person = request.delegation === undefined ? [] : writtenByPerson(request);
  const found = asked.flatMap((message) => {
    if (message.role === "user") return message.text.startsWith(NOT_ACCEPTED) ? [] : [message.text];
    if (message.role !== "tool") return [];
    return message.results.flatMap(({ callId, text, isError }) =>
      isError ? [] : [withoutArguments(text, args.get(callId))],
    );
  });
  return [...person, ...found];
}

function parsed(json: string): Json {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return json;
  }
}

/**
 * What of a step's answer may be used without a citation: what was checked and holds. Where nothing was checked,
 * all of it if the step brought no evidence of its own, as an agent that is not ours or a person.
 */
export function givenByStep(
  step: Pick<StepResult, "answer" | "checks" | "citations" | "data" | "abridged">,
): readonly string[] {
  const { answer, checks, citations, data, abridged = {} } = step;
  const isCut = abridged.answerChars !== undefined;
  if (checks !== undefined && (checks.length > 0 || isCut)) return [checkedPart(answer, checks, isCut)];
  const { charts = [], tables = [] } = data ?? {};
  const isLeftOut = [abridged.citations, abridged.charts, abridged.tables].some((one) => one !== undefined);
  return citations.length + charts.length + tables.length === 0 && !isLeftOut ? [answer] : [];
}

/**
 * The sentences of an answer that were checked and hold, and the others as far as they make no claim: without a
 * figure. `isCut` where the answer may end within a sentence.
 */
function checkedPart(answer: string, checks: NonNullable<StepResult["checks"]>, isCut: boolean): string {
  const found = new Set(checks.filter(hasFinding).map(({ sentence }) => sentence));
  const held = checks.filter(({ sentence }) => !found.has(sentence) && answer.includes(sentence));
  const sentences = [...new Set(checks.map(({ sentence }) => sentence))].sort((a, b) => b.length - a.length);
  let rest = answer;
  for (const sentence of sentences) if (sentence !== "") rest = rest.split(sentence).join("\n");
  const others = rest.split(/(?<=[.!?…])\s+|\n/);
  if (isCut) others.pop();
  const free = others.filter((one) => /\p{L}/u.test(one) && !/\p{N}/u.test(one));
  return [...new Set(held.map(({ sentence }) => sentence)), ...free].join("\n");
}

const FIGURE_OR_WORD = /\d[\d.,'’]*|\p{L}[\p{L}\p{N}]*/gu;

/**
 * The text of a tool without what its call brought: a tool that repeats its arguments, as in an error, a title or
 * a query without hits, proves nothing. Blanked are quoted arguments and their lines, their figures, and their
 * capitalised words, but not the unit of a figure that the tool found.
 */
export function withoutArguments(text: string, args: Json | undefined): string {
  const strings = stringsIn(args);
  const figures = new Set<string>();
  const words = new Set<string>();
  for (const token of strings.flatMap((one) => one.match(FIGURE_OR_WORD) ?? [])) {
    if (/^\d/.test(token)) for (const value of readings(token)) figures.add(value);
    else if (/^\p{Lu}/u.test(token)) words.add(token.toLowerCase());
  }
  const pieces = [...new Set(strings.flatMap((one) => [one, ...one.split("\n")]).map((one) => one.trim()))]
    .filter(isTelling)
    .sort((a, b) => b.length - a.length);
  if (pieces.length > MAX_PIECES) return "";
  const unquoted = pieces.reduce((left, piece) => left.replaceAll(piece, " "), text);
  let unitAt = -1;
  return unquoted.replace(FIGURE_OR_WORD, (token: string, at: number) => {
    if (/^\d/.test(token)) {
      if (readings(token).some((value) => figures.has(value))) return " ".repeat(token.length);
      unitAt = at + token.length;
      return token;
    }
    const isUnit = token.length <= MAX_UNIT && (at === unitAt || at === unitAt + 1);
    return words.has(token.toLowerCase()) && !isUnit ? " ".repeat(token.length) : token;
  });
}

/** Three words and more, or one that is no plain word, such as a path. */
function isTelling(piece: string): boolean {
  return /\S\s+\S+\s+\S/.test(piece) || (piece.length > 4 && /[_./-]/.test(piece));
}

/** All strings and numbers in a value, names of its fields too. */
function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap(stringsIn)
    : Object.entries(value).flatMap(([key, one]) => [key, ...stringsIn(one)]);
}

/** What a figure may mean: `1,450` with a separator of thousands or of decimals. */
function readings(figure: string): readonly string[] {
  const digits = figure.replace(/[.,'’]+$/, "");
  return [digits.replace(/[.,'’](?=\d{3}(?!\d))/g, ""), digits].map((one) => {
    const value = Number(one.replace(",", "."));
    return Number.isNaN(value) ? one : String(value);
  });
}
