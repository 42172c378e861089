import { contentKeys } from "../../text/words.ts";

/** What a chapter tells of a subject, in the order in which a newcomer wants to hear it. */
export const KINDS = ["is", "offer", "use", "results", "price", "limits", "plans", "people"] as const;
export type Kind = (typeof KINDS)[number];

/** The heading of what is gathered from several chapters of a kind. */
export const KIND_HEADINGS: Readonly<Record<Kind, string>> = {
  is: "What it is",
  offer: "What there is",
  use: "Use",
  results: "Results",
  price: "Price",
  limits: "Limits",
  plans: "What comes next",
  people: "People and support",
};

/** By their words; the first that has one. A price is a price in a chapter on results too. */
const WORDS: readonly (readonly [Kind, RegExp])[] = [
  [
    "price",
    /\b(?:costs?|prices?|pricing|fees?|discounts?|invoices?|trials?|charges?|credit(?:ed|s)?|currenc(?:y|ies)|quoted?|pay(?:ments?|ing)?|tuition|budgets?|licen[cs](?:e|es|ing)|tariffs?|money|funding)\b/i,
  ],
  [
    "limits",
    /\b(?:limits?|limitations?|restrictions?|risks?|problems?|incidents?|known issues|will not|does not|do not|cannot|went wrong|out of service|not supported|security)\b/i,
  ],
  [
    "results",
    /\b(?:results?|pilot|findings|achieve\w*|success\w*|performance|said|experiences?|outcomes?|surveys?|stud(?:y|ies)|reports?|evidence|benchmarks?|in figures|where we (?:are|stand)|interviews|feedback|exam(?:s|inations)?)\b/i,
  ],
  [
    "plans",
    /\b(?:next|roadmap|plans?|planned|future|coming|new|moving|migration|timeline|schedule|milestones?|releases?|dates?|calendar)\b/i,
  ],
  [
    "people",
    /\b(?:people|team|staff|contacts?|support|owners?|who|whom|opening hours|organi[sz]ation|maintainers?|teachers|doctors)\b/i,
  ],
  [
    "use",
    /\b(?:use[ds]?|using|usage|how to|getting started|quick ?start|install(?:ing|ation)?|book(?:ing)?|appointments?|visits?|enrol\w*|admissions?|apply(?:ing)?|customers?|users?|guide|handbook|tutorial|can a)\b/i,
  ],
  [
    "offer",
    /\b(?:features?|functions?|editions?|services?|products?|courses?|subjects|modules?|options|treatments?|programmes?|classes|notes|include[sd]?)\b/i,
  ],
];
/** What opens a chapter on what its subject is. */
const OPENS =
  /^(?:about\b|introduction|overview|purpose|mission|summary|in brief|at a glance|who we are|how it works|what (?:is|are)\b|what .+ (?:does|do|is|are)\??$)/i;

/** The kind a heading names; undefined where its words tell none. */
export function kindOf(heading: string, subject: ReadonlySet<string>): Kind | undefined {
  const others = [...contentKeys(heading)].filter((key) => !subject.has(key));
  if (OPENS.test(heading))
    return others.length === 0 || !/^what (?:is|are)\b/i.test(heading) ? "is" : "offer";
  const named = WORDS.find(([, words]) => words.test(heading))?.[0];
  const begins = [...contentKeys(heading.split(/[:,–]/)[0] ?? "")];
  const own = begins.length > 0 && begins.every((key) => subject.has(key));
  return own && (named === undefined || /[:–]/.test(heading)) ? "is" : named;
}
