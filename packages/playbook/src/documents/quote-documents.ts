import { readDelegationPrompt, type ModelRequest } from "@troupe/core";

import { writeTable } from "../data/markdown-table.ts";
import { finishCall, finishIncomplete } from "../policy/finish-call.ts";
import type { PlaybookMove } from "../policy/playbook.ts";
import { lastUserText, toolResults, type PlaybookResult } from "../policy/read-request.ts";
import { contentWords, answerTakesModel, wordsOf, type Word } from "../words.ts";
import { pickQuotes, type Quote } from "./pick-quotes.ts";
import { readPassages } from "./read-passages.ts";

const SEARCHED = 20;
const MAX_QUOTES = 8;
/** Characters a search takes. */
const MAX_QUERY = 2_000;
/** Words that say what to do with documents, not what to look for. */
const IGNORED = new Set(
  (
    "document documents doc docs file files collection passage passages question answer summary summarise summarize " +
    "summarising overview explain describe mention mentions hello hi thanks thank exist available " +
    "dokument dokumente dokumenten datei dateien zusammenfassung fasse zusammen erkläre résumé résume expliquez explique fichiers"
  ).split(" "),
);
const LIST = /(?<!\p{L})(?:documents?|docs?|files?|dokumente?n?|dateien|fichiers?)(?!\p{L})/iu;

/** Searches for the words of the request and quotes the passages that hold them. It writes no answer. */
export function quoteDocuments(request: ModelRequest): PlaybookMove {
  const { instruction } = readDelegationPrompt(lastUserText(request));
  const words = contentWords(instruction, IGNORED);
  if (words.length === 0)
    return LIST.test(instruction)
      ? listDocuments(request)
      : finishIncomplete(answerTakesModel("To answer this from documents"));
  const query = words.map(({ raw }) => raw).join(" ");
  const [search] = toolResults(request, "rag_search");
  if (search === undefined) {
    return {
      say: `Searching the documents for: ${query}`,
      calls: [{ name: "rag_search", arguments: { query: query.slice(0, MAX_QUERY), limit: SEARCHED } }],
    };
  }
  if (search.isError) return failed(search);
  const { quotes, notFound, withheld } = pickQuotes(readPassages(search.text), words, MAX_QUOTES);
  if (quotes.length === 0)
    return finishIncomplete(
      `No passage matches these words: ${namesOf(words)}.\n\n${answerTakesModel("Looking further")}`,
    );
  const content = [
    `Passages found for: ${query}`,
    ...bySection(quotes),
    ...(withheld === 0 ? [] : ["Not used: passages that are worded as orders to a model."]),
    ...(notFound.length === 0 ? [] : [`Not used: ${namesOf(notFound)}, which no passage quoted here holds.`]),
    "These are quotes; fixed rules write no answer.",
  ].join("\n\n");
  const citationIds = quotes.map(({ passage }) => passage.id);
  return { calls: [finishCall({ content, citationIds, complete: notFound.length + withheld === 0 })] };
}

const namesOf = (words: readonly Word[]): string => words.map(({ raw }) => raw).join(", ");

/** Quotes under the heading of their section, in the order in which they were found. */
function bySection(quotes: readonly Quote[]): readonly string[] {
  const sections = Map.groupBy(quotes, ({ passage }) => headingOf(passage));
  return [...sections].map(([heading, found]) => [`## ${heading}`, ...found.map(write)].join("\n\n"));
}

function headingOf({ title, section }: Quote["passage"]): string {
  return section === undefined || section === title || wordsOf(section).length === 0
    ? title
    : `${title}: ${section}`;
}

function write({ passage: { id }, sentences, table }: Quote): string {
  if (table === undefined) return sentences.map((sentence) => `- ${sentence} [${id}]`).join("\n");
  const [header = [], ...rows] = table;
  return `${writeTable({ header, rows })}\n\nTable from the document. [${id}]`;
}

function listDocuments(request: ModelRequest): PlaybookMove {
  const [list] = toolResults(request, "rag_list_documents");
  if (list === undefined) return { calls: [{ name: "rag_list_documents", arguments: {} }] };
  if (list.isError) return failed(list);
  const titles = [...list.text.matchAll(/^- "(.+?)" \(/gm)].map(([, title = ""]) => title);
  const more = /^\.\.\. and (\d+) more/m.exec(list.text)?.[1];
  if (titles.length === 0)
    return { calls: [finishCall({ content: "There are no documents. Ingest some first." })] };
  const lines = [
    `There are ${titles.length + Number(more ?? 0)} documents:`,
    ...titles.map((title) => `- ${title}`),
    ...(more === undefined ? [] : [`- and ${more} more`]),
  ];
  return { calls: [finishCall({ content: lines.join("\n") })] };
}

const failed = ({ text }: PlaybookResult): PlaybookMove =>
  finishIncomplete(`The documents could not be searched. ${text}`);
