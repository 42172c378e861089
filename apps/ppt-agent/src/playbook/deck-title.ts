import { readSubject } from "@troupe/core";

import { FOR_AUDIENCE } from "./wishes.ts";

const LEADS = [
  /^(please\s+)?(can you\s+|could you\s+)?(create|make|build|prepare|produce|generate|write|draft)\s+(me\s+|us\s+)?(an?\s+|the\s+)?(short\s+|brief\s+)?(presentation|deck|slide deck|slides|slideshow|powerpoint)\s*(of|about|on|for|covering)?\s+/i,
  /^(please\s+)?(show|explain|summari[sz]e|present)\s+(me\s+|us\s+)?/i,
];
const TAILS = [
  /[,;]?\s*\b(based on|from|using|out of)\b\s+(our|the|these|those|my)\s+(documents|documentation|files|findings|data)\b.*$/i,
  /\s+\bfor (?:the|an?) (?:chosen |selected )?audience\b.*$/i,
  /[,;]?\s+\(?(?:in|on|with|as|of)\s(?:(?:about|up to|at most|no more than|exactly)\s)?\d{1,2}[ -]slides?\b\)?/i,
  FOR_AUDIENCE,
];
/** What stands in quotes from its first to its last character. */
const QUOTED = /^["“„«‘'](.+)["”“»’']$/;
/** Words on data that end it: cut off where the deck has charts for them. */
const DATA_TAIL =
  /[,;]?\s+(?:and|with|including|plus)\s+(?:(?:its|our|the|their)\s+)?(?:[\w-]+\s+){0,3}?(?:figures|numbers|data|charts?|sales|revenues?)[.\s]*$/i;
/** A request that names no subject: what the deck is about stands in the findings. */
const NO_SUBJECT = /^(?:of )?(?:the|these|those|our|all)?\s*(?:findings?|results?|answers?)$/i;

/** Characters of a request that are looked at: the patterns take their time on long ones. */
const MAX_READ = 1_000;
const MAX_TITLE = 120;

/** A deck's title: the subject a planner read out of the request, else what stands in the words of the objective. */
export function deckTitle(objective: string, instruction = "", hasCharts = false): string {
  const subject = plain(
    readSubject(instruction)?.subject.slice(0, MAX_READ) ?? subjectIn(objective, hasCharts),
  );
  if (NO_SUBJECT.test(subject)) return "Findings";
  const title = subject || lineOf(objective) || "Presentation";
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`.slice(0, MAX_TITLE);
}

/** "Create a deck about our AI strategy ..." is about "our AI strategy". */
function subjectIn(request: string, hasCharts: boolean): string {
  const subject = LEADS.reduce((rest, lead) => rest.replace(lead, ""), lineOf(request));
  return hasCharts ? subject.replace(DATA_TAIL, "") : subject;
}

const plain = (subject: string): string =>
  TAILS.reduce((rest, tail) => rest.replace(tail, ""), subject)
    .replace(/[.!?\s]+$/, "")
    .replace(QUOTED, "$1")
    .trim();

const lineOf = (text: string): string =>
  text.slice(0, MAX_READ).trimStart().split("\n", 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
