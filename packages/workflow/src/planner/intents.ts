import { oneLine, questionsIn, readRequest } from "@troupe/core/request";

import type { Role } from "./roles.ts";

const DECK = /\b(presentations?|slides?|slide ?decks?|decks?|power ?point|pptx)\b/i;

/** What rows of a table are about, in most companies. */
const ROWS =
  "customers?|clients?|buyers?|products?|items?|articles?|orders?|invoices?|units?|purchases?|transactions?";
const GROUPS = `${ROWS}|region|country|segment|channel|category|family|market|quarter|month|week|year|day|model|brand|type|city|store|shop|supplier|vendor`;

/** Questions that rows are counted, added up or ranked for. */
const DATA: readonly RegExp[] = [
  /\b(sales(?!\s(process|team|people|staff|training|strateg|pitch|department|manager|organi))|revenues?|turnover|umsatz|sql|databases?)\b/i,
  new RegExp(`\\bhow many (\\w+ )?(${ROWS}|sales|countries|regions|segments)\\b`, "i"),
  new RegExp(`\\b(number|count) of (\\w+ )?(${ROWS}|sales)\\b`, "i"),
  new RegExp(
    `\\b(${ROWS}|figures|numbers|totals?|amounts?|growth|\\d{4})\\b.{0,40}\\b(per|by|each) (${GROUPS})\\b`,
    "i",
  ),
  // Nothing but something and what it is counted by: "bikes by month".
  /^(?:(?:please |show |plot |chart |list |give me )+)?(?:the |our |all )?(?:[\w-]+ ){1,3}by (?:month|quarter|week|year|day)\b(?: (?:in|for|since|of) [\w ]{2,30})?[.?!]*$/i,
  /\b(top|bottom|best|worst) \d+\b/i,
  /\b(best|worst|most|least|lowest|highest)[- ]sell|\b(sells?|selling|sold|bought|buys?|orders?|ordered|purchased|spent|spends?|grew) (the )?(most|best|least|worst|fastest)\b/i,
  /\bhow much (did|does|do|have|has) .{1,80}\b(buy|bought|spend|spent|order|ordered|purchase|sell|sold|earn)\b/i,
  /\bhow (many|much) .{1,80}\b(sell|sold|buy|bought|ordered)\b/i,
  /\b(average|median|mean|total|sum|minimum|maximum|highest|lowest)( \w+){0,2} (prices?|value|quantity|amounts?)\b/i,
  /\baverage order\b/i,
];

/** Whether a task wants a subject told from all sides. */
export const wantsOverview = (request: string): boolean => readRequest(request).kind === "subject";

/** Figures without a word on what they are of: they stand in tables and in documents. */
const FIGURES = /\b(figures|numbers|statistics|metrics|kpis?|charts?|graphs?)\b/i;

const DOCUMENTS =
  /\b(documents?|documentation|docs|files?|pdfs?|reports?|polic(y|ies)|handbooks?|manuals?|guidelines?|contracts?|minutes|memos?|strateg(y|ies)|procedures?|roadmaps?|governance|interviews?|knowledge base|sources?)\b/i;

/** What only a text says, also where it speaks of revenue: what it states, and what is meant to be. */
const TOLD =
  /\b(according to|sa(y|ys|id) (about|on)|summari[sz]e|explain|does .{1,80} (say|state|mention|define|require)|targets?|goals?|forecasts?|budgets?|risks?|decisions?|decided|why)\b/i;

/** `in the annual report`: it is told where to look. */
const PLACE =
  /\b(in|from) (the|our|its) (\w+ ){0,3}(reports?|polic(y|ies)|strateg(y|ies)|handbooks?|minutes|documents?)\b/i;

const JOINED = /\b(compare|compared|comparison|versus|vs|against|together with|as well as|actual)\b/i;

/**
 * What kinds of work the words of a task ask for. Fixed rules over English words: they understand nothing.
 * Of several questions each is read alone, and one that names no kind of work is for the documents.
 */
export function intentsOf(request: string): ReadonlySet<Role> {
  const parts = allQuestionsIn(oneLine(request)).map(intentsOfOne);
  const asked = new Set(parts.flatMap((part) => [...part]));
  if (asked.has("data") && parts.some((part) => part.size === 0)) asked.add("documents");
  return asked;
}

/** None is left out of a plan: how many are answered is up to who answers them. */
function allQuestionsIn(task: string): readonly string[] {
  const { questions, unasked } = questionsIn(task);
  return [...questions, ...unasked];
}

function intentsOfOne(task: string): ReadonlySet<Role> {
  const deck = DECK.test(task);
  const rows = DATA.some((pattern) => pattern.test(task));
  const told = DOCUMENTS.test(task) || TOLD.test(task);
  const intents = new Set<Role>();
  if (deck) intents.add("deck");
  if (told) intents.add("documents");
  // In a presentation figures are charts; a question about revenue that a text answers is one about the text.
  const wanted = deck
    ? rows || FIGURES.test(task)
    : rows && (!(TOLD.test(task) || PLACE.test(task)) || JOINED.test(task));
  if (wanted || (!deck && !told && FIGURES.test(task))) intents.add("data");
  return intents;
}

const ABOUT: readonly RegExp[] = [
  /\b(?:presentations?|slides?|decks?|power ?point|pptx)(?:\s+(?:about|on|of|covering|regarding)\s+(?!\d)|\s*:\s*)(.+)$/i,
  /\b(?:about|covering|regarding|concerning)\s+(.+)$/i,
  /\bon\s+(?!\d)(.+)$/i,
  /\bfor\s+(.+)$/i,
];
/** What is asked for a subject, and then that a presentation be made of it. */
const THEN_DECK = new RegExp(
  `^(.{3,}?)[,;]?\\s+(?:and(?:\\s+then)?|then)\\s+(?:please\\s+)?((?:make|create|build|prepare|produce|generate|write|draft|design|put|turn|show|present|give)\\b.*${DECK.source}.*)$`,
  "i",
);
/** What is to be done with a subject. */
const ORDER =
  /^(?:please\s+|(?:can|could|would)\s+you\s+(?:please\s+)?)?(?:compare|contrast|check|review|analy[sz]e|summari[sz]e|describe|explain|research|look\s+(?:at|into|up)|tell\s+(?:me|us)\s+about)\s+/i;

/** Where the findings come from, and all that follows. */
const SOURCES =
  /[,;]?\s*\b(?:based on|using|from|in)\s+(?:(?:our|the|these|those|my)\s+)(?:documents|documentation|files|collection|findings|data)\b.*$/i;
const DATA_NOUN =
  "(?:figures|numbers|data|charts?|graphs?|statistics|metrics|kpis?|sales|revenues?|turnover)";
const DATA_TAIL = new RegExp(
  `^(?:\\S+\\s+){0,4}?${DATA_NOUN}(?:\\s+(?:of|by|per|for|in|from|as)\\s.*)?$`,
  "i",
);
const CONNECTOR = /[,;]?\s+(?:and|with|including|plus|as well as|together with)\s+|[,;]\s+/gi;
/** Goes on after a comma with another thing of the same list: "customers, partners and suppliers". */
const LIST =
  /^(?!(?:with|including|based|using|from|for|in|as|please|show|use|make|keep)\b)[^,;]+(?:,[^,;]+)*\s(?:and|or|&)\s[^,;]+$/i;

/**
 * What a presentation is to be about. Words that ask for data are cut off only where they end it and
 * `dataAside` says that a step of its own has them: "quality and our sales process" is one subject.
 */
export function topicOf(request: string, dataAside: boolean): string {
  const task = oneLine(request);
  const about = subjectOfOrder(task) ?? ABOUT.map((lead) => lead.exec(task)?.[1]).find(isThere);
  const sentence = (about ?? task).split(/[.?!](?:\s|$)/, 1)[0] ?? "";
  const plain = sentence.replace(SOURCES, "").trim();
  const topic = beforeWishes(dataAside ? withoutDataTail(plain) : plain);
  return topic.length < 3 ? task : topic;
}

/** "Compare A with B and make a deck" is about "A with B"; undefined where the deck is told its own subject. */
function subjectOfOrder(task: string): string | undefined {
  const [, first, order = ""] = THEN_DECK.exec(task) ?? [];
  if (first === undefined || ABOUT.slice(0, 2).some((lead) => lead.test(order))) return undefined;
  return first.replace(ORDER, "");
}

const isThere = (found: string | undefined): boolean => found !== undefined;

function withoutDataTail(topic: string): string {
  const places = [...topic.matchAll(CONNECTOR)].toReversed();
  const tail = places.find(
    ({ index, 0: connector }) => index > 0 && DATA_TAIL.test(topic.slice(index + connector.length)),
  );
  return tail === undefined ? topic : withoutDataTail(topic.slice(0, tail.index));
}

/** "the AI strategy, ten slides, for the board": what follows a comma says how, unless it is a list. */
function beforeWishes(topic: string): string {
  const comma = topic.search(/[,;]/);
  return comma === -1 || LIST.test(topic.slice(comma + 1).trim()) ? topic : topic.slice(0, comma).trim();
}

/** The questions of a task that are for one of two kinds of work; undefined where it asks one alone. */
function questionsFor(role: "data" | "documents", task: string): string | undefined {
  const parts = allQuestionsIn(task);
  if (parts.length < 2) return undefined;
  const isFor = (part: string): boolean => intentsOfOne(part).has(role);
  const asked = parts.filter(
    (part) => isFor(part) || (role === "documents" && intentsOfOne(part).size === 0),
  );
  return asked.length === 0 ? undefined : asked.join(" ");
}

/** The words that ask for data, such as `its sales figures`; empty when none can be cut out. */
export function dataPhraseOf(request: string): string {
  const task = oneLine(request);
  const questions = questionsFor("data", task);
  if (questions !== undefined) return questions.replace(/[.?!]+$/, "");
  const clauses = task.split(/,|;|\.\s|\s(?:with|including|together with)\s/i);
  for (const clause of clauses.toReversed()) {
    // "DACH and Nordics" stay together; "the roadmap and the sales figures" are two things.
    const parts = clause.split(/\s(?=and\s)/i);
    for (let i = 0; i < parts.length; i++) {
      const phrase = parts
        .slice(i)
        .join(" ")
        .trim()
        .replace(/^(?:with|including|and|as well as)\s+/i, "");
      const asks = DATA.some((pattern) => pattern.test(phrase)) || FIGURES.test(phrase);
      if (asks && !DECK.test(phrase) && !DOCUMENTS.test(phrase)) return phrase.replace(/[.?!]+$/, "");
    }
  }
  return "";
}

/** What is left of a task for the documents when its data are asked for elsewhere; the task where that is nothing. */
export function textPhraseOf(request: string): string {
  const task = oneLine(request);
  const questions = questionsFor("documents", task);
  if (questions !== undefined) return questions;
  const data = dataPhraseOf(task);
  if (data === "") return task;
  const rest = task
    .replace(data, "")
    .replace(/[\s,;.?!]+$/, "")
    .replace(/\s+(with|and|to|against|versus|vs|including|together with)(\s+the)?$/i, "")
    .replace(/[\s,;]+$/, "")
    .replace(/^(please\s+)?(compare|contrast|check)\s+/i, "")
    .trim();
  return rest.split(" ").length < 2 ? task : rest;
}
