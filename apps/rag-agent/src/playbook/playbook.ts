import { readChanges, readDelegationPrompt } from "@troupe/core";
import {
  asksAgain,
  asksLength,
  asksSources,
  lengthAsked,
  readRequest,
  type RequestReading,
} from "@troupe/core/request";
import {
  finishCall,
  lastUserText,
  NO_SHORTER,
  sayNotUsed,
  toolResults,
  type Playbook,
  type PlaybookResult,
} from "@troupe/models";

import { compose, idsIn, partsOf, shortened, statementsIn, without } from "./draft.ts";
import { readVerdict } from "../tools/verdict.ts";
import { facetsOf } from "./facets.ts";

const PER_FACET = 6;
const PER_CHAPTER = 3;
const PER_QUESTION = 5;
/** Characters a search takes. */
const MAX_QUERY = 2_000;
/** Drafts that are checked before what still fails is handed over as partial. */
const MOST_CHECKS = 2;

type Move = ReturnType<Playbook>;
type Request = Parameters<Playbook>[0];

/**
 * Search, collect statements, check, finish. A question gets the sentences that answer it, or
 * that none was found; of several each hears one or the other under its own heading. A subject is
 * told by the chapters of the documents about it, a comparison by what they say of both sides. It copies
 * sentences and understands none of them.
 */
export const playbook: Playbook = (request) => {
  const { instruction } = readDelegationPrompt(lastUserText(request));
  const { changes } = readChanges(instruction);
  const unused = changes.filter(
    (change) => !(asksLength(change) || asksAgain(change) || asksSources(change)),
  );
  return sayNotUsed(move(request, instruction), unused);
};

function move(request: Request, instruction: string): Move {
  const task = readRequest(instruction);
  if (task.kind === "greeting" || task.kind === "documents") return tellDocuments(request, task.kind);
  const asked = askedIn(task);
  const [search] = toolResults(request, "rag_search");
  if (search === undefined) {
    return {
      say: `Searching the documents for: ${asked}`,
      calls: [{ name: "rag_search", arguments: { query: asked, limit: 6 } }, ...firstCalls(task)],
    };
  }
  if (search.isError) return failed(search);
  const found = toolResults(request, "summarize");
  const broken = found.find((result) => result.isError);
  if (broken !== undefined) return failed(broken);
  if (task.kind === "subject") return tellSubject(request, asked, found);
  if (task.kind === "comparison") return tellComparison(request, found[0]?.text ?? "");
  return task.questions.length === 1
    ? tellAnswer(request, found[0]?.text ?? "", true)
    : tellAnswers(request, task, found);
}

type Asking = Exclude<RequestReading, { readonly kind: "greeting" | "documents" }>;

function askedIn(task: Asking): string {
  const asked =
    task.kind === "subject"
      ? task.subject
      : task.kind === "questions"
        ? task.questions.join(" ")
        : [task.aspect ?? "", ...task.things].join(" ").trim();
  return asked.slice(0, MAX_QUERY);
}

function firstCalls(task: Asking): NonNullable<Move["calls"]> {
  if (task.kind === "questions") return task.questions.map(question);
  if (task.kind === "subject")
    return [
      { name: "summarize", arguments: { subject: task.subject, chapters: true, max_sentences: PER_CHAPTER } },
    ];
  const [subject, other] = task.things;
  const { aspect } = task;
  return [
    {
      name: "summarize",
      arguments: { subject, compare_with: other, ...(aspect === undefined ? {} : { aspect }) },
    },
  ];
}

const question = (subject: string) => ({
  name: "summarize",
  arguments: { subject: subject.slice(0, MAX_QUERY), max_sentences: PER_QUESTION },
});

/** By the usual sides of a plan where the documents have them as chapters, else by their own headings. */
function tellSubject(request: Request, subject: string, found: readonly PlaybookResult[]): Move {
  const [first, ...more] = found;
  const parts = partsOf(first?.text ?? "");
  const facets = facetsOf(parts.map(({ heading }) => heading));
  if (parts.length === 0) {
    return more[0] === undefined ? { calls: [question(subject)] } : tellAnswer(request, more[0].text, false);
  }
  if (facets.length === 0) return check(request, compose(parts, PER_CHAPTER, { once: true }));
  if (more.length === 0) {
    return {
      calls: facets.map(({ words }) => ({
        name: "summarize",
        arguments: { subject, aspect: words, max_sentences: PER_FACET },
      })),
    };
  }
  const sides = facets.map(({ heading }, at) => ({ heading, text: more[at]?.text ?? "" }));
  return check(request, compose(sides, PER_FACET, { once: true }));
}

/** That no sentence was found answers a question; there is no summary of nothing. */
function tellAnswer(request: Request, text: string, silenceAnswers: boolean): Move {
  const draft = compose([{ heading: "", text }], PER_QUESTION);
  if (draft !== "") return check(request, draft);
  return { calls: [finishCall({ content: text, citationIds: idsIn(text), complete: silenceAnswers })] };
}

/** Each question with its answer; one the documents do not answer is named with what was looked for. */
function tellAnswers(
  request: Request,
  { questions, unasked }: Extract<Asking, { readonly kind: "questions" }>,
  found: readonly PlaybookResult[],
): Move {
  const answers = questions.map((heading, at) => ({
    heading: sentence(heading),
    text: found[at]?.text ?? "",
  }));
  if (!answers.some(({ text }) => isSaid(text))) {
    const content = withUnasked(answers.map(({ text }) => text).join("\n\n"), unasked);
    return { calls: [finishCall({ content, citationIds: idsIn(content), complete: unasked.length === 0 })] };
  }
  return check(request, compose(answers, PER_QUESTION), unasked, answers.length);
}

/** More questions than can be asked at once are named, or their answers would be missed by nobody. */
function withUnasked(content: string, unasked: readonly string[]): string {
  if (unasked.length === 0) return content;
  return `${content}\n\nNot looked up, ask again:\n${unasked.map((question) => `- ${sentence(question)}`).join("\n")}`;
}

function tellComparison(request: Request, text: string): Move {
  const draft = compose(partsOf(text), PER_FACET);
  return draft === "" ? tellAnswer(request, text, true) : check(request, draft, [], 2);
}

const isSaid = (text: string): boolean => /^(?:- |\|)/m.test(text);
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** As much of a draft as is wanted; of several questions at least the best answer to each. */
function toLength(
  request: Request,
  draft: string,
  answers: number,
): { readonly draft: string; readonly note?: string } {
  const { changes } = readChanges(readDelegationPrompt(lastUserText(request)).instruction);
  const all = statementsIn(draft);
  if (!changes.some(asksLength)) return { draft };
  if (all === 0) return { draft, note: NO_SHORTER };
  const { keep, enough, exact } = lengthAsked(changes, all);
  const most = Math.max(keep, Math.min(answers, all));
  return {
    draft: shortened(draft, most, exact && answers < 2),
    ...(enough ? {} : { note: NO_SHORTER }),
  };
}

/** Has the draft checked, takes out what fails, and says so when something still does. */
function check(request: Request, whole: string, unasked: readonly string[] = [], answers = 1): Move {
  const { draft, note } = toLength(request, whole, answers);
  const checks = toolResults(request, "cite_sources").map(({ text }) => readVerdict(text));
  const mended = checks.reduce((rest, { lines }) => without(rest, lines), draft);
  const last = checks.at(-1);
  if (mended === "") {
    return {
      calls: [
        finishCall({
          content: withUnasked("No statement held up against its source.", unasked),
          complete: false,
        }),
      ],
    };
  }
  const open = last?.holds !== true;
  if (open && checks.length < MOST_CHECKS)
    return { calls: [{ name: "cite_sources", arguments: { draft: mended } }] };
  const content = withUnasked(note === undefined ? mended : `${mended}\n\n${note}`, unasked);
  const complete = !open && unasked.length === 0 && note === undefined;
  return { calls: [finishCall({ content, citationIds: idsIn(mended), complete })] };
}

/** Says what there is to ask about. */
function tellDocuments(request: Request, kind: "greeting" | "documents"): Move {
  const [list] = toolResults(request, "rag_list_documents");
  if (list === undefined) return { calls: [{ name: "rag_list_documents", arguments: {} }] };
  if (list.isError) return failed(list);
  const titles = [...list.text.matchAll(/^- "(.+?)" \(/gm)].map(([, title = ""]) => title);
  if (titles.length === 0) {
    return {
      calls: [finishCall({ content: "There are no documents yet. Ingest some, then ask about them." })],
    };
  }
  const named = [...new Set(titles)];
  const content =
    kind === "documents"
      ? `There are ${named.length} documents:\n${named.map((title) => `- ${title}`).join("\n")}`
      : `Hello. Ask a question about the ${named.length} documents here, such as ${named
          .slice(0, 3)
          .map((title) => `"${title}"`)
          .join(", ")}, or ask for a summary of a subject; every statement comes with its source.`;
  return { calls: [finishCall({ content })] };
}

function failed(result: PlaybookResult): Move {
  const content = `The documents could not be searched. ${result.text}`;
  return { calls: [finishCall({ content, complete: false })] };
}
