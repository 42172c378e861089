import { columns, count, percent } from "../render/figures.ts";
import { harmless, oneLine } from "../render/harmless.ts";
import type { Failure } from "./expectations.ts";
import type { Attempt } from "./run-case.ts";

/** A case with its finished attempts. */
export interface CaseResult {
  readonly id: string;
  readonly attempts: readonly Attempt[];
}

export interface EvalResult {
  readonly file: string;
  readonly name: string;
  /** Description of the model that the servers use. */
  readonly model: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly threshold: number;
  readonly cases: readonly CaseResult[];
  /** The command was stopped before all attempts were made. */
  readonly isInterrupted: boolean;
}

export interface EvalSums {
  readonly passed: number;
  readonly attempts: number;
  /** Share of the attempts that passed, from 0 to 1; 0 without attempts. */
  readonly share: number;
  /** Whether the share is at least the threshold, and nothing was left out. */
  readonly isMet: boolean;
  readonly tokens: number;
  readonly calls: number;
}

const passes = ({ failures }: Attempt): boolean => failures.length === 0;
const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function sumsOf({ cases, threshold, isInterrupted }: EvalResult): EvalSums {
  const all = cases.flatMap(({ attempts }) => attempts);
  const passed = all.filter(passes).length;
  const share = all.length === 0 ? 0 : passed / all.length;
  return {
    passed,
    attempts: all.length,
    share,
    // 27 of 30 are 90 %, whatever binary fractions make of it.
    isMet: !isInterrupted && share >= threshold - 1e-9,
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** A line for each case, below it each failure once, and the sums last. Tokens and seconds are averages. */
export function tableText(result: EvalResult): string {
  const rows = result.cases.map(({ id, attempts }) => [
    oneLine(id),
    `${attempts.filter(passes).length}/${attempts.length}`,
    count(Math.round(average(attempts.map(({ tokens }) => tokens)))),
    average(attempts.map(({ seconds }) => seconds)).toFixed(1),
  ]);
  const lines = columns([["case", "passed", "tokens", "seconds"], ...rows], new Set([1, 2, 3])).split("\n");
  const [head = "", ...shown] = lines;
  const body = result.cases.flatMap((one, at) => [shown[at] ?? "", ...failureLines(one)]);
  return harmless(`${[head, ...body].join("\n")}\n\n${lastLine(result)}\n`);
}

function failureLines({ attempts }: CaseResult): readonly string[] {
  const runs = new Map<string, number[]>();
  for (const [at, { failures }] of attempts.entries())
    for (const failure of failures) {
      const line = failureText(failure);
      runs.set(line, [...(runs.get(line) ?? []), at + 1]);
    }
  return [...runs].map(([line, which]) => {
    const where = attempts.length === 1 ? "" : ` (run ${which.join(", ")})`;
    return `      ${line}${where}`;
  });
}

const failureText = ({ expectation, message }: Failure): string => oneLine(`${expectation}: ${message}`);

function lastLine(result: EvalResult): string {
  const { passed, attempts, share, isMet, tokens, calls } = sumsOf(result);
  const took = `${count(calls)} model calls, ${count(tokens)} tokens`;
  const runs = `${passed} of ${attempts} ${attempts === 1 ? "run" : "runs"} passed (${percent(share * 100)})`;
  if (result.isInterrupted) return `${runs}, then it was interrupted; ${took}.`;
  return `${runs}; the threshold of ${percent(result.threshold * 100)} is ${isMet ? "met" : "not met"}; ${took}.`;
}

/** The results as JSON. */
export function reportJson(result: EvalResult): string {
  const { file, name, model, startedAt, threshold, isInterrupted } = result;
  const cases = result.cases.map(({ id, attempts }) => ({
    id,
    passed: attempts.filter(passes).length,
    attempts: attempts.map((attempt) => ({
      passed: passes(attempt),
      seconds: attempt.seconds,
      tokens: attempt.tokens,
      model_calls: attempt.calls,
      failures: attempt.failures,
      turns: attempt.turns.map((turn) => ({
        run_id: turn.runId,
        request: turn.request,
        outcome: turn.outcome,
        answer: turn.response.content,
        agents: turn.agents,
        citations: turn.response.citations.map(({ id: number, document, page }) => ({
          id: number,
          document,
          page,
        })),
        ...(turn.deck === undefined ? {} : { deck: turn.deck }),
        ...(turn.error === undefined ? {} : { error: turn.error }),
      })),
    })),
  }));
  const { passed, attempts, share, isMet, tokens, calls } = sumsOf(result);
  const sums = { passed, attempts, share, threshold, met: isMet, tokens, model_calls: calls };
  const started = new Date(startedAt).toISOString();
  const interrupted = isInterrupted ? { interrupted: true } : {};
  const all = { v: 1, name, file, model, started, ...sums, ...interrupted, cases };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** For CI servers: one `testcase` an attempt; a run that failed or took too long is an `error`. */
export function reportJunit(result: EvalResult): string {
  const all = result.cases.flatMap(({ id, attempts }) =>
    attempts.map((attempt, at) => ({ attempt, name: attempts.length === 1 ? id : `${id} (run ${at + 1})` })),
  );
  const tests = all.map(({ attempt, name }) => {
    const head = `    <testcase classname=${attribute(result.name)} name=${attribute(name)} time="${attempt.seconds.toFixed(3)}"`;
    if (passes(attempt)) return `${head}/>`;
    const tag = attempt.isError ? "error" : "failure";
    const [first] = attempt.failures;
    const body = attempt.failures.map(failureText).join("\n");
    const open = `<${tag} type=${attribute(first?.expectation ?? "")} message=${attribute(first === undefined ? "" : failureText(first))}>`;
    return `${head}>\n      ${open}${escape(body)}</${tag}>\n    </testcase>`;
  });
  const errors = all.filter(({ attempt }) => attempt.isError).length;
  const failures = all.filter(({ attempt }) => !passes(attempt) && !attempt.isError).length;
  const seconds = all.reduce((sum, { attempt }) => sum + attempt.seconds, 0).toFixed(3);
  const counts = `tests="${all.length}" failures="${failures}" errors="${errors}" time="${seconds}"`;
  const timestamp = new Date(result.startedAt).toISOString().replace(/\.\d+Z$/, "");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${attribute(result.name)} ${counts}>`,
    `  <testsuite name=${attribute(result.name)} timestamp="${timestamp}" ${counts}>`,
    ...tests,
    "  </testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** XML 1.0 has no other characters, not even escaped. */
const NO_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escape = (text: string): string =>
  text.replaceAll(NO_XML, "").replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

const attribute = (text: string): string => `"${escape(text).replaceAll("\n", "&#10;")}"`;

/** Progress line for a finished attempt, on stderr. */
export function attemptLine(
  {
    id,
    run,
    done,
    all,
  }: { readonly id: string; readonly run: string; readonly done: number; readonly all: number },
  attempt: Attempt,
): string {
  const keys = [...new Set(attempt.failures.map(({ expectation }) => expectation))].join(", ");
  const end = passes(attempt) ? "passed" : `failed (${keys})`;
  return oneLine(`[${done}/${all}] ${id}${run}: ${end}, ${attempt.seconds.toFixed(1)} s`);
}
