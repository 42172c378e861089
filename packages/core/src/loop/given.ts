import type { Json } from "@troupe/stream";

import { hasFinding } from "../answer/correct-answer.ts";
import { NOT_ACCEPTED } from "../answer/findings-text.ts";
import { unverifiedStatements } from "../answer/unverified-statements.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { StepResult } from "../ports/delegation.ts";
import type { ModelMessage } from "../ports/model.ts";
import { finishDefinition } from "./finish-tool.ts";
import { WrittenArguments, withoutArguments } from "./written-arguments.ts";

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
  const written = new WrittenArguments();
  // The first message of a delegated run holds the instruction and the results of other steps.
  const asked = request.delegation === undefined ? messages : messages.slice(1);
  const person = request.delegation === undefined ? [] : writtenByPerson(request);
  const found = asked.flatMap((message) => {
    if (message.role === "user") return message.text.startsWith(NOT_ACCEPTED) ? [] : [message.text];
    if (message.role === "assistant") for (const args of argumentsIn(message)) written.add(args);
    if (message.role !== "tool") return [];
    return message.results.flatMap(({ text, isError }) => (isError ? [] : [written.without(text)]));
  });
  return [...person, ...found];
}

/** Arguments of the calls in a message, except of `finish`: no tool receives those. */
export function argumentsIn(message: ModelMessage): readonly Json[] {
  if (message.role !== "assistant") return [];
  return message.toolCalls.flatMap(({ name, arguments: json }) =>
    name === finishDefinition.name ? [] : [parsed(json)],
  );
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
 * all of it if the step brought no evidence of its own, as an agent that is not ours or a person. What its tools list
 * as `unverified` is left out, although the answer may name it.
 */
export function givenByStep(
  step: Pick<StepResult, "answer" | "checks" | "citations" | "data" | "abridged">,
): readonly string[] {
  const { data } = step;
  const unverified = unverifiedStatements(data).map(({ statement, problem }) => [statement, problem]);
  const given = checkedAnswer(step);
  return unverified.length === 0 ? given : given.map((text) => withoutArguments(text, unverified));
}

function checkedAnswer({
  answer,
  checks,
  citations,
  data,
  abridged = {},
}: Parameters<typeof givenByStep>[0]): readonly string[] {
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
