import { readSubject } from "@troupe/core";

/** What a person asks for, as far as rules can tell. */
export type Task =
  | { readonly kind: "greeting" }
  /** Which documents there are. */
  | { readonly kind: "documents" }
  /** A subject from all sides: an overview, a summary, something to make a presentation of. */
  | { readonly kind: "subject"; readonly subject: string }
  | { readonly kind: "question"; readonly question: string };

/** Characters of a request that are looked at: the patterns take their time on long ones. */
const MAX_READ = 1_000;

const GREETING =
  /^(?:hi|hello|hey|hej|hallo|good (?:morning|afternoon|evening|day)|thanks?|thank you|thx|help|test|ping|ok(?:ay)?|who are you|what (?:can|do) you do|what can i ask(?: you)?|how (?:are you|does this work))(?: there| all| everyone| you| me| please| very much)*[\s!.?,]*$/i;
const DOCUMENTS =
  /^(?:(?:please )?(?:list|show(?: me)?|which|what)(?: are)?(?: all)?(?: of)?(?: the| our| your| my)? (?:documents|files)(?: (?:are there|are ingested|do you (?:have|know)|do we have|have been ingested|can you (?:read|search|see)|exist|there are))?)[\s.?!]*$/i;

const POLITE =
  /^(?:please\s+|(?:can|could|would) you (?:please )?|i(?:'d| would) like(?: you)? to |i (?:need|want) (?:you to )?|we need )/i;
const THING = "(?:presentation|deck|slides?|slide deck|report|summary|overview|brief|briefing|outline)";
/** They ask for a subject and say only what to do with it. */
const SUBJECT_LEADS: readonly RegExp[] = [
  new RegExp(
    `^(?:create|make|build|prepare|write|draft|produce|generate|give(?: me| us)?|show(?: me| us)?|get(?: me)?)?\\s*(?:an?\\s+|the\\s+|some\\s+)?(?:\\w+\\s+){0,2}?${THING}\\s*(?:of|about|on|for|from|covering)\\s*:?\\s+`,
    "i",
  ),
  /^(?:summari[sz]e|outline|sum up)\s+(?:what (?:our|the|these) (?:documents|files) say (?:about|on)\s+)?/i,
  /^tell me (?:everything|all|more)?\s*(?:you know )?about\s+/i,
  /^what (?:are|were|is) the (?:main |key |most important )?(?:findings?|points?|conclusions?|takeaways?|messages?|contents?) (?:of|in)\s+/i,
  /^what (?:is|stands) in\s+/i,
];
/** How a workflow asks for research: what follows is read like any request. */
const FIND = /^find(?: out)?\s+(?=what\s)/i;
const SAY_ABOUT =
  /^what\s+(?:do|does|did)?\s*(?:our|the|these|my)?\s*(?:documents?|files?|collection)\s+(?:say|tell us|tell|state)\s+(?:about|on):?\s+/i;
/** Where to look, and all that follows. */
const SOURCES =
  /[,;]?\s*\b(?:based on|from|using|in)\b\s+(?:our|the|these|those|my)\s+(?:documents|documentation|files|collection)\b.*$/i;
const ASKING =
  /\?\s*$|^(?:what|who|whom|whose|when|where|which|why|how|is|are|am|does|do|did|has|have|had|can|could|may|must|should|shall|will|would|was|were|and|since|until|by when)\b/i;
/** A few words that ask nothing are a subject. */
const FEW_WORDS = 6;

/** Reads a request: the subject a planner read out of it, else its words. What the words around it only say to do with it is left out. */
export function readTask(request: string): Task {
  const read = readSubject(request);
  if (read?.kind === "overview") return { kind: "subject", subject: read.subject };
  if (read !== undefined) return readLine(read.subject.slice(0, MAX_READ));
  return readLine(firstLine(request.slice(0, MAX_READ)));
}

function readLine(line: string): Task {
  if (GREETING.test(line)) return { kind: "greeting" };
  if (DOCUMENTS.test(line)) return { kind: "documents" };
  const subject = subjectIn(line);
  if (subject !== undefined) return { kind: "subject", subject };
  const asked = line.replace(FIND, "");
  const said = asked.replace(SAY_ABOUT, "");
  if (said !== asked && asked !== line) return readLine(trimmed(said));
  if (said !== line) return { kind: "question", question: trimmed(said) };
  const bare = trimmed(line);
  return !ASKING.test(line) && bare.split(" ").length <= FEW_WORDS
    ? { kind: "subject", subject: bare }
    : { kind: "question", question: line };
}

function subjectIn(line: string): string | undefined {
  const plain = line.replace(POLITE, "");
  for (const lead of SUBJECT_LEADS) {
    const subject = plain.replace(lead, "");
    if (subject !== plain) return trimmed(subject);
  }
  return undefined;
}

function trimmed(subject: string): string {
  const rest = subject
    .replace(SOURCES, "")
    .replace(/[\s?.!:;,]+$/, "")
    .trim();
  return rest === "" ? subject : rest;
}

const firstLine = (text: string): string =>
  text.trimStart().split("\n", 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
