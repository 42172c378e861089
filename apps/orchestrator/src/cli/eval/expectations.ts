import { basename } from "node:path";

import { findFigure } from "@troupe/checks";
import { clip } from "@troupe/core";
import {
  referencedIds,
  type AgentResponse,
  type Citation,
  type ErrorInfo,
  type Outcome,
  type SentenceCheck,
} from "@troupe/stream";

import { count } from "../render/figures.ts";
import { oneLine } from "../render/harmless.ts";
import {
  matcherOf,
  SlowPattern,
  withoutMarks,
  type Expectations,
  type Figure,
  type Range,
} from "./eval-file.ts";

/** The results of one turn that expectations are compared with. */
export interface Observed {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo;
  readonly response: AgentResponse;
  /** Of its steps, in their order. */
  readonly agents: readonly string[];
  /** Calls of models. */
  readonly calls: number;
  /** In and out, those read from a cache too. */
  readonly tokens: number;
  readonly seconds: number;
  /** The last presentation; absent if there is none or the file expects nothing of it. */
  readonly deck?: ObservedDeck;
}

export interface ObservedDeck {
  readonly name: string;
  readonly titles: readonly string[];
  readonly charts: number;
  /** Lines of the notes with unverified statements. */
  readonly unverified: readonly string[];
  /** Findings of the lint. */
  readonly problems: readonly string[];
}

/** An expectation that was not met, and what was found instead. */
export interface Failure {
  /** Its key, such as `facts` or `deck.slides`. */
  readonly expectation: string;
  readonly message: string;
}

/** Characters that a failure shows of an answer; `--json` has all of it. */
const MAX_SHOWN = 120;
const MAX_QUOTED = 80;

/** Code of the error of a plan without steps, because the task is for none of the agents. */
const NO_AGENT = "workflow.no-agent";

/**
 * The expectations that a turn does not meet. Unless `outcome` is expected, a run has to be completed.
 *
 * @param lines - line in the file of each regular expression, for messages
 */
export function checkTurn(
  expect: Expectations,
  seen: Observed,
  lines: ReadonlyMap<string, number> = new Map(),
): readonly Failure[] {
  const failures: Failure[] = [];
  const fail = (expectation: string, message: string): void => void failures.push({ expectation, message });
  const compare = (expectation: string, patterns: () => void): void => {
    try {
      patterns();
    } catch (error) {
      if (!(error instanceof SlowPattern)) throw error;
      const line = lines.get(error.pattern);
      fail(expectation, `${line === undefined ? "" : `line ${line}: `}${error.message}`);
    }
  };
  const { response, error } = seen;
  const answer = response.content;

  const outcomes = expect.outcome ?? (expect.refusal === true ? REFUSED_OUTCOMES : ["completed"]);
  const isRefused = error?.code === NO_AGENT;
  if (!outcomes.includes(seen.outcome) && !(expect.refusal === true && isRefused)) {
    fail("outcome", `${outcomes.join(" or ")} expected, the run ended ${seen.outcome}${reasonOf(error)}`);
    // Of a run without an answer there is nothing else to say.
    if (answer.trim() === "") return failures;
  }
  if (expect.refusal === true && !refuses(seen))
    fail("refusal", `the answer does not say that it is not there: ${shown(answer)}`);
  if (expect.refusal === false && refuses(seen))
    fail("refusal", `an answer is expected, but it is refused: ${shown(answer || (error?.message ?? ""))}`);

  for (const fact of expect.facts ?? [])
    compare("facts", () => {
      const any = typeof fact === "string" ? [fact] : fact;
      if (!any.some((one) => matcherOf(one)(answer)))
        fail(
          "facts",
          `${clip(any.map(quoted).join(" or "), MAX_SHOWN)} is not in the answer: ${shown(answer)}`,
        );
    });
  for (const one of expect.not ?? [])
    compare("not", () => {
      if (matcherOf(one)(answer)) fail("not", `${quoted(one)} is in the answer: ${around(answer, one)}`);
    });
  for (const wanted of expect.numbers ?? []) {
    const found = findFigure(withoutMarks(answer), wanted, wanted.tolerance);
    if (!found.isFound)
      fail("numbers", `${figureText(wanted)} is not in the answer; ${numbersText(found.figures)}`);
  }
  if (expect.citations !== undefined) checkCitations(expect.citations, response, fail);
  if (expect.agents !== undefined) checkAgents(expect.agents, seen.agents, fail);
  outside(expect.steps, seen.agents.length, (message) => fail("steps", message));
  outside(expect.charts, response.data?.charts?.length ?? 0, (message) => fail("charts", message));
  const [marked] = (response.checks ?? []).filter(({ status }) => status === "finding");
  if (expect.verified === true && (marked !== undefined || response.checks === undefined))
    fail("verified", marked === undefined ? "nothing of the answer was checked" : markText(marked));
  const { deck } = expect;
  if (deck !== undefined) compare("deck.titles", () => checkDeck(deck, seen.deck, fail));
  atMost("max_calls", expect.max_calls, seen.calls, "model calls", fail);
  atMost("max_tokens", expect.max_tokens, seen.tokens, "tokens", fail);
  atMost("max_seconds", expect.max_seconds, seen.seconds, "seconds", fail);
  return failures;
}

type Fail = (expectation: string, message: string) => void;

const REFUSED_OUTCOMES: readonly Outcome[] = ["completed", "partial"];

/** A sentence that says that something is not in the documents or data. "Fixed rules write no answer" is none. */
const ABSENCE = [
  /\b(?:not?|nothing|none|nobody|neither|cannot|without|\p{L}+n't)\b.{0,120}\b(?:say|says|states?|stated|mention\w*|found|finds?|contains?|includes?|covers?|gives?|given|specif\w+|record\w*|(?<!\bwrite no )answers?|available|passages?|information|documents?|tables?|columns?|data)\b/iu,
  /\b(?:documents?|tables?|data|sources?|passages?|polic\w+|handbook)\b.{0,120}\b(?:not?|nothing|none|\p{L}+n't)\b/iu,
  /\b(?:kein\w*|nichts?|ohne)(?!\p{L}).{0,120}(?:angab|angegeben|genannt|erwähn|enth[aä]lt|gefunden|finde|steht|hervor|unterlagen|dokument|daten|auskunft)/iu,
  /(?:dokument|unterlagen|daten)\p{L}*.{0,120}\b(?:kein\w*|nichts?)(?!\p{L})/iu,
  /(?:^|\s)(?:aucun\p{L}*|ne|n'|pas|rien|sans)(?!\p{L}).{0,120}(?:mention|indiqu|précis|trouv|conti|figur|document|donnée|information)/iu,
];

/**
 * Whether a run refuses: no agent fits the task, or it is partial and its answer rests on no source, or the answer says
 * in a sentence without a source that something is not available. An answer with an unverified claim is no refusal.
 */
function refuses({ outcome, error, response }: Observed): boolean {
  if (error?.code === NO_AGENT) return true;
  if (outcome !== "completed" && outcome !== "partial") return false;
  const { content, checks = [] } = response;
  if (checks.some(({ status }) => status === "finding")) return false;
  if (outcome === "partial" && referencedIds(content).length === 0) return true;
  const sentences = content.split(/(?<=[.!?])\s+|\n+/);
  return sentences.some(
    (sentence) => referencedIds(sentence).length === 0 && ABSENCE.some((pattern) => pattern.test(sentence)),
  );
}

function checkCitations(
  { documents, ...counts }: NonNullable<Expectations["citations"]>,
  { content, citations }: AgentResponse,
  fail: Fail,
): void {
  const ids = new Set(referencedIds(content));
  const cited = citations.filter(({ id }) => ids.has(id));
  const places = [...new Set(cited.map(placeOf))].join(", ") || "none";
  const min = "min" in counts ? (counts.min ?? 0) : 0;
  if (cited.length < min)
    fail("citations", `at least ${min} expected, ${cited.length} found: ${clip(places, MAX_SHOWN)}`);
  for (const { document, page } of documents) {
    const ofDocument = cited.filter((citation) => isOf(citation, document));
    if (ofDocument.some((citation) => page === undefined || isOnPage(citation, page))) continue;
    fail(
      "citations",
      `${quoted(document)}${page === undefined ? "" : `, page ${page},`} is not cited; cited: ${clip(places, MAX_SHOWN)}`,
    );
  }
}

function isOf({ document, source }: Citation, wanted: string): boolean {
  const fold = (name: string): string => name.toLowerCase().replace(/\.\w{2,5}$/, "");
  return [document, source, basename(source)].some((name) => fold(name) === fold(wanted));
}

function isOnPage({ page, pageLabel }: Citation, wanted: number): boolean {
  return page === wanted || pageLabel === String(wanted);
}

function placeOf({ document, page }: Citation): string {
  return page === undefined ? document : `${document}, page ${page}`;
}

function checkAgents(
  { isExact, names }: NonNullable<Expectations["agents"]>,
  used: readonly string[],
  fail: Fail,
): void {
  const missing = names.some((name) => !used.includes(name));
  const more = isExact && used.some((name) => !names.includes(name));
  if (!missing && !more) return;
  const list = (all: readonly string[]): string => [...new Set(all)].join(", ") || "none";
  fail("agents", `${list(names)}${isExact ? "" : " among others"} expected, used: ${list(used)}`);
}

function checkDeck(
  wanted: NonNullable<Expectations["deck"]>,
  deck: ObservedDeck | undefined,
  fail: Fail,
): void {
  if (deck === undefined) {
    fail("deck", "a presentation is expected, the run made none");
    return;
  }
  outside(wanted.slides, deck.titles.length, (message) => fail("deck.slides", message));
  outside(wanted.charts, deck.charts, (message) => fail("deck.charts", message));
  for (const title of wanted.titles ?? [])
    if (!deck.titles.some(matcherOf(title)))
      fail("deck.titles", `${quoted(title)} is in no title: ${clip(deck.titles.join(" | "), MAX_SHOWN)}`);
  const [unverified] = deck.unverified;
  if (wanted.verified === true && unverified !== undefined)
    fail("deck.verified", `${deck.unverified.length} of its slides state what is not found: ${unverified}`);
  const [problem] = deck.problems;
  if (wanted.lint === true && problem !== undefined)
    fail("deck.lint", `${deck.problems.length} found: ${problem}`);
}

function outside(range: Range | undefined, value: number, fail: (message: string) => void): void {
  const { min = 0, max = Infinity } = range ?? {};
  if (value >= min && value <= max) return;
  const wanted = min === max ? `${min}` : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  fail(`${wanted} expected, there are ${value}`);
}

function atMost(key: string, most: number | undefined, value: number, unit: string, fail: Fail): void {
  if (most !== undefined && value > most)
    fail(key, `at most ${count(most)} ${unit} expected, it took ${count(Math.round(value * 10) / 10)}`);
}

const markText = ({ sentence, finding }: SentenceCheck): string =>
  `${shown(sentence)} is not in its sources${finding === undefined ? "" : `: ${finding.detail}`}`;

const reasonOf = (error: ErrorInfo | undefined): string =>
  error === undefined ? "" : `: ${clip(oneLine(error.message), MAX_SHOWN)}`;

const quoted = (value: string): string => {
  const short = clip(value, MAX_QUOTED);
  return /^\/.+\/\w*$/.test(value) ? short : `"${short}"`;
};

function shown(answer: string): string {
  return answer.trim() === "" ? "it is empty" : `"${clip(oneLine(answer), MAX_SHOWN)}"`;
}

/** The sentence that has it, if it is in one. */
function around(answer: string, pattern: string): string {
  const has = matcherOf(pattern);
  return shown(answer.split(/(?<=[.!?])\s+|\n+/).find((sentence) => has(sentence)) ?? answer);
}

const figureText = ({ value, unit }: Figure): string =>
  `${value.toLocaleString("en-US", { maximumFractionDigits: 20 })}${unit === undefined ? "" : ` ${unit}`}`;

const numbersText = (figures: readonly string[]): string =>
  figures.length === 0 ? "it has no number" : `it has ${figures.slice(0, 5).join(", ")}`;
