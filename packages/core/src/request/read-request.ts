import { readSubject } from "../delegation/subject-line.ts";
import { comparisonIn, type Comparison } from "./comparison.ts";
import { bare, oneLine, withoutCourtesy } from "./phrase.ts";
import { ASKING_WORD, asksQuestion, capped, questionsIn, type Questions } from "./questions.ts";

/** What a person asks of documents, as far as rules over English words can tell. */
export type RequestReading =
  | { readonly kind: "greeting" }
  /** Which documents there are. */
  | { readonly kind: "documents" }
  /** A subject from all sides: an overview, a summary, something to make a presentation of. */
  | { readonly kind: "subject"; readonly subject: string }
  | ({ readonly kind: "comparison" } & Comparison)
  | ({ readonly kind: "questions" } & Questions);

const GREETING =
  /^(?:hi|hello|hey|hej|hallo|good (?:morning|afternoon|evening|day)|thanks?|thank you|thx|help|test|ping|ok(?:ay)?|who are you|what (?:can|do) you do|what can i ask(?: you)?|how (?:are you|does this work))(?: there| all| everyone| you| me| please| very much)*[\s!.?,]*$/i;
const DOCUMENTS =
  /^(?:(?:please )?(?:list|show(?: me)?|which|what)(?: are)?(?: all)?(?: of)?(?: the| our| your| my)? (?:documents|files)(?: (?:are there|are ingested|do you (?:have|know)|do we have|have been ingested|can you (?:read|search|see)|exist|there are))?)[\s.?!]*$/i;

const THING = "(?:presentation|deck|slides?|slide deck|report|summary|overview|brief|briefing|outline)";
const MAKE =
  "(?:create|make|build|prepare|write|draft|produce|generate|give(?: me| us)?|send(?: me| us)|show(?: me| us)?|get(?: me)?)";
/** They ask for a subject and say only what to do with it. */
const SUBJECT_LEADS: readonly RegExp[] = [
  new RegExp(
    `^(?:${MAKE}\\s+)?(?:an?\\s+|the\\s+|some\\s+)?(?:\\w+\\s+){0,2}?${THING}\\s*(?:of|about|on|for|from|covering)\\s*:?\\s+`,
    "i",
  ),
  new RegExp(`^${MAKE}\\s+(?:an?\\s+|the\\s+|some\\s+)?(?:\\w+\\s+){0,2}?${THING}\\s*:\\s*`, "i"),
  /^(?:summari[sz]e|outline|sum up)\s+(?:what (?:our|the|these) (?:documents|files) say (?:about|on)\s+)?/i,
  /^tell me (?:everything|all|more)?\s*(?:you know )?about\s+/i,
  /^what (?:are|were|is) the (?:main |key |most important )?(?:findings?|points?|conclusions?|takeaways?|messages?|contents?) (?:of|in)\s+/i,
  /^what (?:is|stands) in\s+/i,
  /^what is (?=(?:the |our )?.+ about[\s?]*$)/i,
];
/** Only says that something is wanted. */
const GIVE = /^(?:give|show|tell|get|send)(?: me| us)?\s+/i;
/** A subject, and what else is wanted of it. */
const AND_TELL = new RegExp(
  `^(.+?),? and (?:please )?(?:also )?(?:tell|show) (?:me|us) (${ASKING_WORD}\\b.+)$`,
  "i",
);
const TELL = /^(?:please )?(?:tell|show) (?:me|us) (?=(?:what|who|whom|whose|when|where|which|why|how)\b)/i;
/** How a workflow asks for research: what follows is read like any request. */
const FIND = /^find(?: out)?\s+(?=what\s)/i;
const SAYS =
  /^what\s+(?:(?:do|does|did)\s+)?(.+?)\s+(?:says?|tells? us|tells?|states?|mentions?|writes?)\s+(?:about|on|regarding):?\s+(.+)$/i;
const ALL_DOCUMENTS = /^(?:our|the|these|my)?\s*(?:documents?|files?|collection)$/i;
/** A few words that ask nothing are a subject. */
const FEW_WORDS = 6;

/**
 * Reads a request, or the subject a planner read out of it. What the words around it only say to do with
 * it is left out. The one reading of a request for the planner, the agents and their tools.
 */
export function readRequest(request: string): RequestReading {
  const read = readSubject(request);
  if (read?.kind === "overview") return { kind: "subject", subject: read.subject };
  return readLine(oneLine(read?.subject ?? firstLine(request)).replace(TELL, ""));
}

function readLine(line: string): RequestReading {
  if (GREETING.test(line)) return { kind: "greeting" };
  if (DOCUMENTS.test(line)) return { kind: "documents" };
  const subject = subjectIn(line);
  const comparison = comparisonIn(subject ?? withoutCourtesy(line).replace(GIVE, ""));
  if (comparison !== undefined) return { kind: "comparison", ...comparison };
  if (subject !== undefined) {
    const [, about, more] = AND_TELL.exec(subject) ?? [];
    if (about === undefined || more === undefined) return { kind: "subject", subject };
    const { questions, unasked } = questionsIn(more, about);
    return { kind: "questions", ...capped([about, ...questions, ...unasked]) };
  }
  const asked = line.replace(FIND, "");
  const said = saidAbout(asked);
  if (said?.where === undefined && said !== undefined)
    return asked === line
      ? { kind: "questions", questions: [said.subject], unasked: [] }
      : readLine(said.subject);
  const few = bare(line);
  return !asksQuestion(line) && few.split(" ").length <= FEW_WORDS
    ? { kind: "subject", subject: few }
    : { kind: "questions", ...questionsIn(line) };
}

/** "What does the handbook say about overtime": the subject, and where it is looked for, unless that is everywhere. */
export function saidAbout(line: string): { readonly subject: string; readonly where?: string } | undefined {
  const [, where = "", subject] = SAYS.exec(withoutCourtesy(line)) ?? [];
  if (subject === undefined) return undefined;
  return ALL_DOCUMENTS.test(where) ? { subject: bare(subject) } : { subject: bare(subject), where };
}

function subjectIn(line: string): string | undefined {
  const plain = withoutCourtesy(line);
  for (const lead of SUBJECT_LEADS) {
    const subject = plain.replace(lead, "");
    if (subject !== plain) return bare(subject).replace(/\s+about$/i, "");
  }
  return undefined;
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? "";
