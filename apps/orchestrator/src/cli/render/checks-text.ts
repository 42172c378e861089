import { clip } from "@troupe/core";
import type { FindingKind, SentenceCheck } from "@troupe/stream";

import { answerText } from "./answer-text.ts";
import { oneLine } from "./harmless.ts";

/** Precedes a repeated sentence with a finding. */
const FINDING_MARK = "(!)";
/** Start of the note after a sentence with a finding. */
export const FINDING_NOTE = "(!";

/** Longer sentences are shortened where they are repeated below an answer. */
const MAX_SENTENCE_CHARS = 120;

/** Characters of a claim as a reason quotes it. */
const MAX_QUOTED_CHARS = 160;

type Wording = (what: string, cited: string) => string;
/** Of several figures `155, 1,700 are`. */
const be = (what: string): string => (what.includes(", ") ? "are" : "is");
const notIn: Wording = (what, cited) => `${what || "this"} ${be(what)} not in ${cited}`;
const otherwise: Wording = (what, cited) => `not said in ${cited}${what === "" ? "" : `; ${what}`}`;

/** What was looked for and not found, in words. */
const WORDINGS: { readonly [kind in FindingKind]: Wording } = {
  unknown: (what) => `${what || "the citation"} is not one of the sources`,
  uncited: (what) => `no source is given${what === "" ? "" : ` for ${what}`}`,
  figure: notIn,
  unit: (what, cited) => `${what || "the figure"} has another unit in ${cited}`,
  date: notIn,
  name: notIn,
  page: otherwise,
  "figure-in-no-result": (what) => `${what || "the figure"} ${be(what)} in no source or data`,
  quote: (what, cited) => `${what === "" ? "the quote" : `"${what}"`} is not word for word in ${cited}`,
  contradicted: (what, cited) => `said otherwise in ${cited}${what === "" ? "" : `; ${what}`}`,
  "not-there": otherwise,
};

/**
 * `2.4 is not in [14]; found in [5]: "up to 2.4 times"`; empty for a sentence without a finding.
 * @param cited what it was compared with; by default the citations that it has
 */
export function findingText({ sentence, finding }: SentenceCheck, cited = citedIn(sentence)): string {
  if (finding === undefined) return "";
  const [what = "", ...more] = oneLine(finding.detail).split("; ");
  // Not every detail is a part of the sentence.
  const isPart = what.split(", ").every((one) => sentence.includes(one));
  const named = finding.kind !== "uncited" || isPart ? what : "";
  return [WORDINGS[finding.kind](shortenAtWord(named, MAX_SENTENCE_CHARS), cited), ...more].join("; ");
}

function citedIn(sentence: string): string {
  const marks = [...sentence.matchAll(/\[([\w-]+)\](?!\()/g)].map(([mark]) => mark);
  return marks.length === 0 ? "the sources" : [...new Set(marks)].join(" or ");
}

/** `23 claims: 21 found in sources or data, 1 calculated, 1 not found`; empty where there is no claim. */
export function claimsText(checks: readonly SentenceCheck[]): string {
  if (checks.length === 0) return "";
  const counted = (status: SentenceCheck["status"], words: string): readonly string[] => {
    const number = checks.filter((check) => check.status === status).length;
    if (number === 0) return [];
    return [`${number === checks.length && number > 1 ? "all" : number} ${words}`];
  };
  const parts = [
    ...counted("verified", "found in sources or data"),
    ...counted("derived", "calculated"),
    ...counted("finding", "not found"),
  ];
  return `${checks.length} ${checks.length === 1 ? "claim" : "claims"}: ${parts.join(", ")}`;
}

/**
 * How many claims hold, and each sentence with a finding that is not in the answer, with what was looked for. Empty where
 * there is no claim.
 */
export function checksText(checks: readonly SentenceCheck[], content: string): string {
  const findings = checks.filter(
    ({ status, sentence }) => status === "finding" && !content.includes(sentence),
  );
  return [claimsText(checks), ...findings.flatMap((check) => sentenceLines(check))]
    .filter((line) => line !== "")
    .join("\n");
}

/** A reason without the claims that it quotes, where they are printed with the answer. */
export function withoutClaims(reason: string): string {
  const [first = "", ...lines] = reason.split("\n");
  if (!first.endsWith("could not be verified.")) return reason;
  return [first, ...lines.filter((line) => !line.startsWith("- "))].join("\n");
}

/**
 * The claims that the reason of a step quotes, a line each, without those that are printed with the answer. Empty if the
 * run ended for the same reason.
 */
export function claimLines(
  reason: string | undefined,
  {
    ofRun,
    checks = [],
  }: { readonly ofRun: string | undefined; readonly checks: readonly SentenceCheck[] | undefined },
): readonly string[] {
  const [first = "", ...lines] = (reason ?? "").split("\n");
  if (reason === ofRun || !first.endsWith("could not be verified.")) return [];
  const printed = checks
    .filter(({ status }) => status === "finding")
    .map(({ sentence }) => `- "${clip(oneLine(sentence), MAX_QUOTED_CHARS)}"`);
  return lines.filter((line) => line.startsWith("- ") && !printed.some((one) => line.startsWith(one)));
}

/** A sentence, and what was found or not, each on a line. */
export function sentenceLines(
  check: SentenceCheck,
  {
    place = "",
    cited,
    more = [],
  }: { readonly place?: string; readonly cited?: string; readonly more?: readonly string[] } = {},
): readonly string[] {
  const mark = check.status === "finding" ? FINDING_MARK : "   ";
  const sentence = shortenAtWord(sentenceText(check.sentence), MAX_SENTENCE_CHARS);
  return [
    `  ${mark} ${place === "" ? "" : `${place}: `}${sentence}`,
    ...[findingText(check, cited), ...more].filter((text) => text !== "").map((text) => `        ${text}`),
  ];
}

/** The answer with what was looked for behind each sentence with a finding: `(! 2.4 is not in [14])`. */
export function markFindings(content: string, checks: readonly SentenceCheck[]): string {
  // The note must not end a table cell or begin emphasis.
  const note = (check: SentenceCheck): string =>
    `${FINDING_NOTE} ${findingText(check).replaceAll("|", "/").replaceAll(/[*`]/g, "")})`;
  return insertBehind(
    content,
    checks.map((check) => ({
      sentence: check.sentence,
      mark: check.status === "finding" ? note(check) : "",
    })),
  );
}

/** A text with a mark behind each of these sentences of it, in their order; in a table's row within its last cell. */
export function insertBehind(
  text: string,
  sentences: readonly { readonly sentence: string; readonly mark: string }[],
): string {
  let marked = "";
  let from = 0;
  for (const { sentence, mark } of sentences) {
    const at = sentence === "" ? -1 : text.indexOf(sentence, from);
    if (at < 0) continue;
    const end = at + sentence.length;
    const cell = mark === "" ? "" : (/\s?\|\s*$/.exec(sentence)?.[0] ?? "");
    marked += text.slice(from, end - cell.length) + (mark === "" ? "" : ` ${mark}${cell}`);
    from = end;
  }
  return marked + text.slice(from);
}

/** Without Markdown's marks of emphasis and of cells. */
function sentenceText(sentence: string): string {
  return oneLine(answerText(sentence))
    .replaceAll(/\*\*|__|`|^#+ /g, "")
    .replaceAll(/^\| ?| ?\|$/g, "");
}

function shortenAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 3);
  const space = head.lastIndexOf(" ");
  return `${head.slice(0, space > 0 ? space : undefined).trimEnd()} ...`;
}
