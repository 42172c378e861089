import {
  askToCorrect,
  chartEvidence,
  givenByStep,
  hasFinding,
  isTooShort,
  NOT_CHECKED,
  readCorrection,
  removeUnknownReferences,
  replaceSentences,
  SentenceReviews,
  sourceTexts,
  tableEvidence,
  unverifiedError,
  withSquareBrackets,
  type AnswerCheck,
  type AnswerEvidence,
  type DerivedFigure,
  type Model,
  type ModelMessage,
  type StepResult,
} from "@troupe/core";
import type { ErrorInfo, SentenceCheck, Usage } from "@troupe/stream";

import type { Renumbered } from "./renumber.ts";

/** How the answer from several steps is compared with what they found. */
export interface SynthesisCheck {
  readonly answerCheck: AnswerCheck;
  /** Whether the model reviews what the rules let pass, and what its correction changes. */
  readonly review?: boolean;
  /** Date of the check, such as `2026-11-22`. */
  readonly today: string;
}

export interface CheckedText {
  readonly content: string;
  /** Absent where nothing was checked. */
  readonly checks?: readonly SentenceCheck[];
  /** Why it is not complete. */
  readonly error?: ErrorInfo;
}

export interface CheckTextOptions {
  readonly content: string;
  /** The answer was written to its end, so the model may be asked to correct it. */
  readonly isWhole: boolean;
  readonly evidence: AnswerEvidence;
  readonly check: SynthesisCheck | undefined;
  readonly isKnown: (id: string) => boolean;
  readonly model: Model;
  readonly signal: AbortSignal;
  /** Asks the model once more, with these messages behind the conversation; undefined where that failed. */
  readonly ask: (messages: readonly ModelMessage[]) => Promise<string | undefined>;
  readonly used: (usage: Usage) => void;
}

/**
 * The answer with its findings. The model is asked once to correct it, and what has fewer findings counts. References
 * to nothing are removed. If the check itself fails, the result has an error.
 */
export async function checkText(options: CheckTextOptions): Promise<CheckedText> {
  const { evidence, isKnown, signal } = options;
  try {
    return await compareText(options);
  } catch {
    signal.throwIfAborted();
    const content = withSquareBrackets(options.content);
    return { ...cleaned({ content, isKnown, sources: sourceTexts(evidence) }), error: NOT_CHECKED };
  }
}

async function compareText(options: CheckTextOptions): Promise<CheckedText> {
  const { check, isKnown } = options;
  const content = withSquareBrackets(options.content);
  const sources = sourceTexts(options.evidence);
  if (check === undefined) return cleaned({ content, isKnown, sources });
  const rules = (
    text: string,
    bound: "strict" | "lenient",
    correction?: { readonly derived: readonly DerivedFigure[] },
  ): readonly SentenceCheck[] => {
    const { derived = [] } = correction ?? {};
    return check.answerCheck.check(text, options.evidence, {
      bound,
      ...(derived.length > 0 && { derived }),
      ...(correction !== undefined && { refused: content }),
    });
  };
  const reviews = new SentenceReviews();
  const review = async (checks: readonly SentenceCheck[]): Promise<readonly SentenceCheck[]> => {
    if (check.review !== true) return checks;
    const { model, signal } = options;
    try {
      return await reviews.review(checks, async (fresh) => {
        const found = await check.answerCheck.review(fresh, options.evidence, { model, signal });
        for (const usage of found.usage) options.used(usage);
        return found.checks;
      });
    } catch {
      signal.throwIfAborted();
      return reviews.applyTo(checks);
    }
  };
  const { unknown } = removeUnknownReferences(content, isKnown, sources);
  let first = rules(content, options.isWhole ? "strict" : "lenient");
  if (!first.some(hasFinding)) first = await review(first);
  const isFine = !first.some(hasFinding) && unknown.length === 0;
  if (isFine || !options.isWhole) return cleaned({ content, checks: first, isKnown, sources });
  const reply = await options.ask([
    { role: "assistant", text: content, toolCalls: [] },
    { role: "user", text: askToCorrect(first, unknown, "json") },
  ]);
  const corrected = reply === undefined ? undefined : correctedText(content, reply);
  const correction = { derived: corrected?.derived ?? [] };
  const kept = reviews.applyTo(rules(content, "lenient", correction));
  if (corrected === undefined || corrected.text === content)
    return cleaned({ content, checks: await review(kept), isKnown, sources });
  const after = reviews.applyTo(rules(corrected.text, "lenient", correction));
  const faults = (checks: readonly SentenceCheck[], text: string): number =>
    checks.filter(hasFinding).length + removeUnknownReferences(text, isKnown, sources).unknown.length;
  const fewer = faults(kept, content) - faults(after, corrected.text);
  const isBetter = corrected.replaced ? fewer >= 0 : fewer > 0 && !isTooShort(after, kept);
  return isBetter
    ? cleaned({
        content: corrected.text,
        checks: await review(after),
        isKnown,
        sources,
        missing: corrected.missing,
      })
    : cleaned({ content, checks: await review(kept), isKnown, sources });
}

interface CorrectedText {
  readonly text: string;
  /** Sentences that the model named and that are not in the answer. */
  readonly missing: readonly string[];
  readonly replaced: boolean;
  /** Figures of it that the model says it computed. */
  readonly derived: readonly DerivedFigure[];
}

/** Replacements and named operands, or where the reply is no such JSON the whole answer in new words. */
function correctedText(content: string, reply: string): CorrectedText | undefined {
  const correction = readCorrection(reply);
  if (correction === undefined)
    return reply.trim() === ""
      ? undefined
      : { text: withSquareBrackets(reply.trim()), missing: [], replaced: false, derived: [] };
  const { replacements, derived } = correction;
  const { text, missing } = replaceSentences(content, replacements);
  return text.trim() === "" ? undefined : { text, missing, replaced: true, derived };
}

function cleaned({
  content,
  checks,
  isKnown,
  sources,
  missing = [],
}: Pick<CheckedText, "content" | "checks"> & {
  readonly isKnown: (id: string) => boolean;
  readonly sources: readonly string[];
  readonly missing?: readonly string[];
}): CheckedText {
  const { text, unknown } = removeUnknownReferences(content, isKnown, sources);
  const shown = checks?.map((one) => ({
    ...one,
    sentence: removeUnknownReferences(one.sentence, isKnown, sources).text,
  }));
  const error = unverifiedError(shown ?? [], unknown, missing);
  return {
    content: text.trim() === "" ? content : text,
    ...(shown && { checks: shown }),
    ...(error && { error }),
  };
}

/** Everything that the steps found, under the numbers that the answer has. */
export function evidenceOf(
  task: string,
  results: readonly StepResult[],
  sources: Renumbered,
  today: string,
): AnswerEvidence {
  const given = results.flatMap((result, index) =>
    givenByStep({ ...result, answer: sources.answers[index] ?? "", ...checksOf(result, sources) }),
  );
  return {
    citations: sources.citations,
    tables: [...sources.charts.map(chartEvidence), ...sources.tables.map(tableEvidence)],
    given: [task, ...given, today],
  };
}

/** Its checks, with sentences as the renumbered answer has them. */
function checksOf({ checks }: StepResult, sources: Renumbered): Pick<StepResult, "checks"> {
  return checks === undefined ? {} : { checks: sources.checks ?? [] };
}

/** Whether an answer may name this source: a citation, a chart or a cited table of a step. */
export function knownIds({ citations, charts, tables }: Renumbered): (id: string) => boolean {
  const known = new Set([
    ...[...citations, ...charts].map(({ id }) => id),
    ...tables.flatMap(({ number }) => number ?? []),
  ]);
  return (id) => known.has(id);
}
