import type { Role } from "./roles.ts";

const WORDS: { readonly [R in Role]: RegExp } = {
  deck: /\b(presentations?|slides?|slide ?decks?|decks?|power ?point|pptx)\b/i,
  data: /\b(sales|revenues?|turnover|figures?|numbers?|data|database|sql|tables?|charts?|graphs?|statistics|metrics|kpis?|totals?|averages?|medians?|trends?|quarter(ly|s)?|monthly|per (month|year|quarter|region|product|customer)|how (many|much)|top \d+|sum of|orders?)\b/i,
  documents:
    /\b(documents?|documentation|docs|files?|pdfs?|reports?|polic(y|ies)|handbooks?|manuals?|guidelines?|contracts?|according to|strateg(y|ies)|procedures?|knowledge base|cite|sources?)\b/i,
};

/** Words that speak of tables and of nothing else. The other data words stand in plain questions too. */
const PLAINLY_DATA =
  /\b(sales|revenues?|turnover|figures|numbers|database|sql|charts?|graphs?|statistics|metrics|kpis?|quarter(ly|s)?|monthly|per (month|year|quarter|region|product|customer)|top \d+|sum of)\b/i;

/** "How many days of leave do I have?" asks for a number that may stand in a document. */
export function isPlainlyData(task: string): boolean {
  return PLAINLY_DATA.test(task);
}

/** What kinds of work the words of a task ask for. Fixed rules over English words: they understand nothing. */
export function intentsOf(task: string): ReadonlySet<Role> {
  const roles: readonly Role[] = ["documents", "data", "deck"];
  return new Set(roles.filter((role) => WORDS[role].test(task)));
}

/** Characters of a task that are looked at for its topic. */
const MAX_READ = 2_000;

/** Its beginning, on one line: the patterns below take their time on long runs of white space. */
function oneLine(task: string): string {
  return task.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim();
}

/** What a presentation is to be about: the words between "about" and where the task goes on with its sources. */
export function topicOf(request: string): string {
  const task = oneLine(request);
  const about = /\b(?:about|on|covering|regarding|for)\s+(.+)$/is.exec(task)?.[1];
  const topic = (about ?? task).split(
    /,|;|\.\s|[.?!]?\s*$|\s(?:based on|using|from our|from the|with|including|together with)\s/i,
  )[0];
  return topic === undefined || topic.trim().length < 3 ? task.trim() : topic.trim();
}

/** The words that ask for data, such as `its sales figures`; empty when none can be cut out. */
export function dataPhraseOf(task: string): string {
  const clauses = oneLine(task)
    .split(/,|;|\.\s|\s(?:with|including|together with|and)\s/i)
    .map((clause) => clause.trim());
  const clause = clauses.findLast((part) => WORDS.data.test(part) && !WORDS.deck.test(part));
  return (clause ?? "").replace(/^(?:with|including|and|as well as)\s+/i, "").replace(/[.?!]+$/, "");
}
