import type { SentenceCheck } from "@troupe/stream";

import { askToCorrect, NOT_CHECKED, unverifiedError, type CorrectionForm } from "../answer/findings-text.ts";
import {
  hasFinding,
  isJsonAnswer,
  removeUnknownReferences,
  replaceSentences,
  sourceTexts,
  withSquareBrackets,
} from "../answer/correct-answer.ts";
import { reportsStatement } from "../answer/unverified-statements.ts";
import { fold } from "../middleware/hooks.ts";
import type { AnswerCheck, AnswerEvidence, DerivedFigure } from "../ports/answer-check.ts";
import type { Model } from "../ports/model.ts";
import { outcomeOf } from "../response/parse-response.ts";
import type { Said } from "../response/said.ts";
import { todayAt } from "../text/today.ts";
import type { Ending } from "./ending.ts";
import type { Run } from "./run.ts";
import { textOf, type TextItem } from "./text-item.ts";

/** An answer that the model corrected by sentences, and the sentences that it named and that are not in it. */
export interface CorrectedAnswer {
  readonly ending: Ending;
  readonly text: string;
  readonly missing: readonly string[];
}

export interface CheckOptions {
  /** How the model answers findings in this mode. */
  readonly by: CorrectionForm;
  readonly derived?: readonly DerivedFigure[];
  readonly corrected?: CorrectedAnswer;
}

const SUPERSEDED = "Claims of the answer could not be verified.";

/**
 * Compares the answer with the evidence of the run, in every mode. With findings it is refused once, where a
 * round is left: its text stays shown, and the model gets `refusal`. Otherwise the ending carries the checks, is
 * partial where something could not be verified, and its items are settled.
 */
export async function checkAnswer(
  run: Run,
  ending: Ending,
  { by, derived: named = [], corrected }: CheckOptions,
): Promise<Ending | { readonly refusal: string }> {
  const check = checkOf(run, ending);
  if (check === undefined) return settled(ending);
  const { answer = [], listed } = ending;
  const text = run.evidence.numbered(withSquareBrackets(corrected?.text ?? textOf(answer)));
  const evidence = evidenceOf(run);
  const mayRefuse =
    run.refused === undefined && ending.outcome === "completed" && run.iteration < run.limits.maxIterations;
  const derived = [...named, ...(run.refused?.derived ?? [])];
  const byRules = runRules(run, check, text, evidence, { bound: mayRefuse ? "strict" : "lenient", derived });
  if (byRules === undefined) return settled(unchecked(ending));
  const unknown = unknownIn(run, text, byRules);
  const refuse = (checks: readonly SentenceCheck[]): { readonly refusal: string } => {
    run.refuse(answer, text, { listed, derived });
    return { refusal: askToCorrect(checks, unknown, by) };
  };
  // A sentence may repeat a statement to report it as not found; the run is partial in that case anyway.
  const { unverified } = run.evidence;
  const others = byRules.filter((one) => !hasFinding(one) || !reportsStatement(one.sentence, unverified));
  if (mayRefuse && (others.some(hasFinding) || unknown.length > 0)) return refuse(others);
  const first = corrected === undefined && !mayRefuse ? run.refused : undefined;
  if (first !== undefined) {
    const kept = runRules(run, check, first.text, evidence, { bound: "lenient", derived });
    if (kept !== undefined && isTooShort(byRules, kept)) {
      const { citations, charts } = first.state;
      return accept(
        run,
        { ...ending, listed: { citations, charts } },
        { text: first.text, checks: run.reviews.applyTo(kept), missing: [] },
      );
    }
  }
  const checks = await review(run, check, byRules, evidence);
  if (mayRefuse && checks.some(hasFinding)) return refuse(checks);
  return accept(run, ending, { text, checks, missing: corrected?.missing ?? [] });
}

/** An answer written anew with less than half of the claims that held in the first, such as an apology. */
export function isTooShort(anew: readonly SentenceCheck[], first: readonly SentenceCheck[]): boolean {
  const held = (checks: readonly SentenceCheck[]): number => checks.filter((one) => !hasFinding(one)).length;
  return held(anew) < held(first) / 2;
}

/** The last text of a run that ended early, checked by rules alone. */
export function checkDraft(run: Run, ending: Ending): Ending {
  const check = ending.checks === undefined ? checkOf(run, ending) : undefined;
  if (check === undefined) return ending;
  const text = run.evidence.numbered(withSquareBrackets(textOf(ending.answer ?? [])));
  const checks = runRules(run, check, text, evidenceOf(run), { bound: "lenient", derived: [] });
  if (checks === undefined) return unchecked(ending);
  return accept(run, ending, { text, checks: run.reviews.applyTo(checks), missing: [] });
}

/** The refused answer with the replacements of a `finish` without content; undefined where that is no answer to it. */
export function correctRefused(run: Run, said: Said): CorrectedAnswer | undefined {
  const { refused } = run;
  if (refused === undefined || said.content.trim() !== "" || said.issues.length > 0) return undefined;
  if (said.requireUserInput) return undefined;
  const replacements = said.replacements.map(({ sentence, text }) => ({
    sentence: run.evidence.numbered(sentence),
    text: run.evidence.numbered(text),
  }));
  const { text, missing } = replaceSentences(refused.text, replacements);
  if (text.trim() === "") return undefined;
  const { state } = refused;
  const listed = {
    citations: [...new Set([...state.citations, ...said.citationIds])],
    charts: [...new Set([...state.charts, ...said.chartIds])],
  };
  return { ending: { outcome: outcomeOf(said), answer: refused.items, listed }, text, missing };
}

function checkOf(run: Run, { outcome, ask, answer = [] }: Ending): AnswerCheck | undefined {
  if (outcome !== "completed" && outcome !== "partial") return undefined;
  return ask === undefined && answer.length + (run.refused?.text.length ?? 0) > 0
    ? run.options.answerCheck
    : undefined;
}

/** The check failed, so the answer must not count as checked. */
function unchecked(ending: Ending): Ending {
  return { ...ending, outcome: "partial", error: ending.error ?? NOT_CHECKED };
}

function settled(ending: Ending): Ending {
  for (const item of ending.answer ?? []) item.settle("answer");
  return ending;
}

/** All that the answer of a run rests on so far. */
export function evidenceOf(run: Run): AnswerEvidence {
  return run.evidence.forCheck(todayAt(run.options.clock.now()).date);
}

/** Undefined where the check itself failed: then nothing was checked. */
function runRules(
  run: Run,
  check: AnswerCheck,
  text: string,
  evidence: AnswerEvidence,
  options: { readonly bound: "strict" | "lenient"; readonly derived: readonly DerivedFigure[] },
): readonly SentenceCheck[] | undefined {
  const { bound, derived } = options;
  try {
    const refused = bound === "lenient" ? run.refused?.text : undefined;
    const asked = {
      bound,
      ...(derived.length === 0 ? {} : { derived }),
      ...(refused === undefined ? {} : { refused }),
    };
    if (!isJsonAnswer(text)) return check.check(text, evidence, asked);
    const passages = evidence.citations.map(({ passage, quote }) => passage ?? quote);
    const given = [...evidence.given, ...passages];
    return check.check(text, { ...evidence, given }, { ...asked, format: "json" });
  } catch (error) {
    run.log.error("the answer could not be checked", { runId: run.runId, error });
    return undefined;
  }
}

/** References to nothing that no finding is about. */
function unknownIn(run: Run, text: string, checks: readonly SentenceCheck[]): readonly string[] {
  const named = checks.flatMap(({ sentence, finding }) => (finding?.kind === "unknown" ? [sentence] : []));
  const { unknown } = removeUnknownReferences(
    text,
    (id) => run.evidence.isKnown(id),
    sourceTexts(evidenceOf(run)),
  );
  return unknown.filter((id) => !named.some((sentence) => sentence.includes(id)));
}

/** The second step. Where it fails, what the rules found is what there is. */
async function review(
  run: Run,
  check: AnswerCheck,
  checks: readonly SentenceCheck[],
  evidence: AnswerEvidence,
): Promise<readonly SentenceCheck[]> {
  if (run.options.config.answer_check !== "model") return checks;
  try {
    return await run.reviews.review(checks, async (fresh) => {
      const options = { model: limitedModel(run), signal: run.signal };
      const found = await run.interrupt.race(check.review(fresh, evidence, options));
      for (const usage of found.usage) run.usageReported(usage);
      return found.checks;
    });
  } catch (error) {
    if (run.signal.aborted) throw error;
    run.log.warn("the answer could not be reviewed by the model", { runId: run.runId, error });
    return run.reviews.applyTo(checks);
  }
}

/** The model of the run within its limits, which its middleware knows. */
function limitedModel(run: Run): Model {
  const { model, hooks } = run.options;
  return {
    id: model.id,
    async *stream(request, options) {
      yield* model.stream(await fold(hooks.beforeModel, request, (hook, so) => hook(so, run)), options);
    },
  };
}

interface Checked {
  readonly text: string;
  readonly checks: readonly SentenceCheck[];
  readonly missing: readonly string[];
}

function accept(run: Run, ending: Ending, { text, checks, missing }: Checked): Ending {
  const isKnown = (id: string): boolean => run.evidence.isKnown(id);
  const sources = sourceTexts(evidenceOf(run));
  const cleaned = removeUnknownReferences(text, isKnown, sources);
  const isBlank = cleaned.text.trim() === "";
  const shown = checks.map((one) => ({
    ...one,
    sentence: isBlank ? one.sentence : removeUnknownReferences(one.sentence, isKnown, sources).text,
  }));
  const answer = answerItems(run, ending.answer ?? [], isBlank ? text : cleaned.text);
  const error = ending.error ?? unverifiedError(shown, cleaned.unknown, missing);
  return {
    ...ending,
    answer,
    checks: shown,
    ...(error === undefined ? {} : { outcome: "partial", error }),
  };
}

/** The items that show this text: those that do already, else a new one that supersedes them. */
function answerItems(run: Run, answer: readonly TextItem[], text: string): readonly TextItem[] {
  const first = run.refused?.items ?? [];
  const others = answer.filter((item) => !first.includes(item));
  const showing = [first, others].find(
    (items) => items.length > 0 && run.evidence.numbered(textOf(items)) === text,
  );
  if (showing === undefined || (showing === others && first.length > 0)) {
    run.supersede([...first, ...others], SUPERSEDED);
    return [run.writeItem("answer", text)];
  }
  for (const item of others) item.settle(showing === others ? "answer" : "narration");
  for (const item of first) item.settle("answer");
  return showing;
}
