import { costOf, momentText, type Prices } from "@troupe/core";
import type { Json, Usage } from "@troupe/stream";
import type { RunDetail, RunQuestion, StepDetail, UsageDetail } from "@troupe/workflow";

import type { RenderedAnswer } from "../deliver.ts";
import { claimLines, withoutClaims } from "./checks-text.ts";
import { bytes, count, milliseconds, short } from "./figures.ts";
import { harmless, visibleJson } from "./harmless.ts";

export interface DetailOptions extends RenderedAnswer {
  /** Of models, where they are known. */
  readonly prices: Prices;
  /** The command that opens a file of the run. */
  readonly open: string;
  /** The commands that answer a question. */
  readonly answered: (asked: Pick<RunQuestion, "step" | "request">) => readonly string[];
}

const LONGEST = 160;

/** A run as a person reads it: what it was to do, each step with what it was given and took, questions, sources, files. */
export function runDetailText(detail: RunDetail, options: DetailOptions): string {
  const { run, steps, questions, artifacts } = detail;
  const { answer, sources, checks } = options;
  const answered = run.outcome !== undefined && answer !== "";
  const before = [
    headText(detail),
    ...(steps.length === 0
      ? []
      : ["\nSteps", ...steps.map((step, at) => stepText(step, at + 1, detail, options))]),
    ...totalLines(detail, options.prices),
    ...(questions.length === 0 ? [] : ["\nQuestions", ...questions.map((one) => questionText(one, options))]),
  ];
  const result = [
    ...(answered ? ["\nAnswer", indented(answer)] : []),
    ...(sources === "" ? [] : ["\nSources", sources]),
    ...(answered && checks !== "" ? [`\n${checks}`] : []),
  ];
  const files = [
    ...(artifacts.length === 0 ? [] : ["\nFiles"]),
    ...artifacts.map((file) => `  ${file.name}  ${bytes(file.bytes)}  of ${file.stepId}`),
    // The address in the record is that of a server that may have stopped since.
    ...(artifacts.length === 0 ? [] : [`  Open one: ${options.open}`]),
  ];
  return [...before.map(harmless), ...result, ...files.map(harmless)].map((line) => `${line}\n`).join("");
}

function headText({ run, retryOf, collectionId }: RunDetail): string {
  const status = run.status === "input-required" ? "waiting" : run.status;
  const took = run.endedAt === undefined ? "" : `, took ${milliseconds(run.endedAt - run.createdAt)}`;
  return [
    `Run ${run.runId}  ${status}${run.reason === undefined ? "" : `: ${withoutClaims(run.reason)}`}`,
    ...(run.objective === "" ? [] : [`  ${short(run.objective, LONGEST)}`]),
    ...(run.name === "" ? [] : [`  workflow: ${short(run.name, LONGEST)}`]),
    `  began ${momentText(run.createdAt, "second")}${took}`,
    ...(run.importedAt === undefined
      ? []
      : [`  imported ${momentText(run.importedAt, "second")}, to be looked at`]),
    ...(run.userId === undefined ? [] : [`  of ${run.userId}`]),
    ...(collectionId === undefined ? [] : [`  collection: ${collectionId}`]),
    ...(retryOf === undefined ? [] : [`  does run ${retryOf} again in part`]),
  ].join("\n");
}

function stepText(
  step: StepDetail,
  number: number,
  { run, checks }: Pick<RunDetail, "run" | "checks">,
  { prices }: DetailOptions,
): string {
  const { attempts, given = [], keptFrom, calls } = step;
  const time = step.ms === undefined ? [] : [milliseconds(step.ms)];
  const used = usageText(step.usage, prices);
  const lines = [
    `  ${number}. ${[step.id, step.agent || "person", step.state.replace("_", " "), ...time, ...used].join("  ")}`,
    ...(step.addedFor === undefined ? [] : [`     added: ${short(step.addedFor, LONGEST)}`]),
    ...(step.instruction === "" ? [] : [`     asked: ${short(step.instruction, LONGEST)}`]),
    ...given.map(
      ({ step: id, agent, outcome, characters, files }) =>
        `     given: ${id} (${agent || "person"}), ${outcome}, ${count(characters)} characters${files.map((name) => `, ${name}`).join("")}`,
    ),
    ...(keptFrom === undefined ? [] : [`     kept from run ${keptFrom}; what it took counts there`]),
    ...attempts.flatMap(({ reason, startedAt }, at) =>
      reason === undefined
        ? []
        : [`     attempt ${at + 1} at ${momentText(startedAt, "second")}: ${short(reason, LONGEST)}`],
    ),
    ...calls.map(
      ({ path, agent, ...usage }) =>
        `     called: ${[...path, agent].join(" > ")}  ${usageText(usage, prices).join("  ")}`,
    ),
    ...(step.reason === undefined || keptFrom !== undefined
      ? []
      : [
          `     ${short(withoutClaims(step.reason), LONGEST)}`,
          ...claimLines(step.reason, { ofRun: run.reason, checks }).map((line) => `     ${line}`),
        ]),
    ...step.artifacts.map((file) => `     file: ${file.name}  ${bytes(file.bytes)}`),
  ];
  return lines.join("\n");
}

function totalLines({ planning, synthesis, usage }: RunDetail, prices: Prices): readonly string[] {
  const planned = planning === undefined ? [] : usageText(planning, prices);
  const written = synthesis === undefined ? [] : usageText(synthesis, prices);
  const total = usageText(usage, prices);
  return [
    ...(planned.length === 0 ? [] : [`  Plan: ${planned.join("  ")}`]),
    ...(written.length === 0 ? [] : [`  Answer: ${written.join("  ")}`]),
    ...(total.length === 0 ? [] : [`  Total: ${total.join("  ")}`]),
  ];
}

/** Nothing where nothing was used. */
function usageText({ total, models }: UsageDetail, prices: Prices): readonly string[] {
  if (total.modelCalls === 0 && tokensOf(total) === 0) return [];
  const calls = `${count(total.modelCalls)} model ${total.modelCalls === 1 ? "call" : "calls"}`;
  if (tokensOf(total) === 0) return [calls];
  const cost = costText(models, prices);
  return [
    calls,
    `${count(tokensOf(total) - total.outputTokens)} tokens in`,
    `${count(total.outputTokens)} out`,
    ...cost,
  ];
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** Of no use where the price of one model is not known: then it would be too little. */
function costText(models: UsageDetail["models"], prices: Prices): readonly string[] {
  let dollars = 0;
  for (const { model, usage } of models) {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (price === undefined) return [];
    dollars += costOf(usage, price);
  }
  return models.length === 0 ? [] : [`$${dollars.toFixed(4)}`];
}

function questionText(question: RunQuestion, { answered }: DetailOptions): string {
  const { step, request, askedAt, answered: given, state, answer } = question;
  const what =
    request.kind === "form" ? request.form.title : request.calls.map(({ tool }) => tool).join(", ");
  const by = given?.by === undefined ? "" : ` by ${given.by}`;
  const when = given === undefined ? "" : `${by} ${momentText(given.at, "second")}, ${given.through}`;
  return [
    `  ${step === "" ? "plan" : step}: ${short(what, LONGEST)}  asked ${momentText(askedAt, "second")}, ${state}${when}`,
    ...(answer === undefined ? [] : [`     ${short(replyText(answer), LONGEST)}`]),
    ...(state === "open" ? answered(question).map((line) => `     ${line}`) : []),
  ].join("\n");
}

/** The values of a form, the decisions of an approval. */
function replyText(answer: Json): string {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return visibleJson(answer);
  const { requestId: _requestId, ...said } = answer as { readonly [key: string]: Json };
  return Object.values(said)
    .map((value) => visibleJson(value))
    .join(" ");
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
