/** What an overview of a subject must tell under a heading, by reading the documents. */
export interface Overview {
  /** A subject, with `aspect`, or the file of a document whose chapters are told. */
  readonly subject: string;
  readonly aspect?: string;
  /** Of each chapter: its heading, and words of a sentence that says what it is there to say. */
  readonly tells: readonly (readonly [heading: string, words: string])[];
}

const side = (aspect: string, ...words: readonly string[]): Overview => ({
  subject: "the AI strategy",
  aspect,
  tells: words.map((said) => ["", said]),
});
const chapters = (subject: string, tells: Overview["tells"]): Overview => ({ subject, tells });

export const OVERVIEWS: readonly Overview[] = [
  side(
    "goals objectives targets",
    "EUR 15.0 million in 2026",
    "31 hours to 60 hours",
    "at most 0.5 false alarms",
    "93 percent of confirmed events",
    "35 percent, to 1,390",
    "Ninety percent of all employees",
  ),
  side(
    "initiatives projects programme",
    "Foresight 2 forecasts",
    "Watershed brings",
    "Station Fjord Edge puts",
    "Service Companion predicts",
    "Kompass answers",
  ),
  side("results pilot achieved", "from EUR 4.65 million", "79 of 88", "by 12 percent"),
  side("budget investment costs", "EUR 14.4 million in AI"),
  side("risks threats", "loss of trust", "71 percent"),
  side(
    "governance oversight compliance principles",
    "No class A model goes live",
    "nobody can overrule",
    "only with written consent",
  ),
  chapters("travel-policy.md", [
    ["Before you book", "approves every trip"],
    ["Getting there", "Take the train"],
    ["Meals", "EUR 48"],
    ["Field trips", "EUR 60"],
    ["Claiming your expenses", "within 30 days"],
  ]),
  chapters("incident-review-2025-06-14.md", [
    ["What happened", "412 false alarms"],
    ["Why it happened", "read nitrate from a new source"],
    ["What went well", "22 minutes"],
    ["What it cost", "EUR 64,000"],
    ["What we do not know", "first 30 minutes"],
  ]),
  chapters("foresight-pilot-report.pdf", [
    ["Result in brief", "79 of 88"],
    ["How we measured", "64 stations"],
    ["Results by type of event", "27 of 28"],
    ["What customers and operators said", "81 percent"],
    ["Costs and recommendation", "EUR 0.42 million"],
  ]),
  chapters("annual-report-2025.pdf", [
    ["The year in figures", "EUR 84.8 million"],
    ["Our markets", "six regions"],
    ["Our customers", "640 customers"],
    ["Our products", "EUR 31.6 million"],
    ["Research and development", "EUR 10.9 million"],
  ]),
  chapters("employee-handbook.pdf", [
    ["Starting at Norrvik", "six months"],
    ["Working time", "40 hours"],
    ["Holidays and leave", "28 days"],
    ["Pay and benefits", "6.5 percent"],
    ["Learning", "five working days"],
  ]),
  chapters("ai-governance-policy-v2.docx", [
    ["Purpose and scope", "must be true before"],
    ["Three classes of systems", "one of three classes"],
    ["Before a system goes live", "without an entry in the model register"],
    ["Data", "written consent"],
    ["Buying AI", "34 questions"],
    ["Generative AI", "list of approved tools"],
    ["Human oversight", "switch off Foresight"],
  ]),
  chapters("data-platform-roadmap.docx", [
    ["Why Watershed", "stores every measurement once"],
    ["Where we are in January 2026", "Twelve of 41"],
    ["Migration in four waves", "four waves"],
    ["Money and people", "EUR 1.0 million in 2026"],
  ]),
  chapters("hiring-plan-2026.docx", [
    ["The plan in brief", "27 new posts"],
    ["Data and AI", "24 to 32"],
    ["Service", "six technicians"],
    ["Sales and marketing", "Three of five"],
  ]),
];

/** Written from the documents alone, after the rules: nothing was chosen by them. */
export const HELD_OUT_OVERVIEWS: readonly Overview[] = [
  chapters("incident-review-2025-06-14.md", [
    ["What happened", "412 false alarms"],
    ["What went well", "22 minutes"],
    ["What it cost", "EUR 64,000"],
    ["What we do not know", "30 minutes of logs"],
  ]),
  chapters("security-and-privacy-faq.md", [
    ["Where are our measurements stored", "Stockholm"],
    ["Who at Norrvik can see them", "Thirty-four employees"],
    ["Do you train models on our data", "written consent"],
    ["Do you have certificates", "ISO/IEC 27001"],
    ["How is the connection", "own key"],
    ["What happens if a station is stolen", "within five minutes"],
    ["How do you sign us in", "second factor"],
    ["How quickly do you tell us", "within 24 hours"],
  ]),
];
