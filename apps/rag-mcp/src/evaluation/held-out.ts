import type { Case } from "./questions.ts";

/** A question no rule or threshold was chosen by. Mend real bugs it shows; never tune on it. */
export interface HeldOut extends Omit<Case, "collection" | "notes"> {
  readonly kind:
    | "fact"
    | "number"
    | "person"
    | "date"
    | "old edition"
    | "absent"
    | "comparison"
    | "paraphrase"
    | "misspelt";
}

/** On the Norrvik documents, written before the rules were read. */
export const HELD_OUT: readonly HeldOut[] = [
  // Facts.
  { kind: "fact", question: "Where are the measurements of customers stored?", says: "Stockholm" },
  { kind: "fact", question: "What should I do with a suspicious message?", says: "fish button" },
  { kind: "fact", question: "What is biofouling?", says: "algae and shells" },
  { kind: "fact", question: "Which version of Foresight caused the false alarms?", says: "1.8.2" },
  // Numbers.
  { kind: "number", question: "How many tickets about Foresight did support answer in 2025?", says: "3,870" },
  { kind: "number", question: "How much is the daily allowance?", says: "EUR 48" },
  { kind: "number", question: "How many stations were stolen in 2025?", says: "Four stations" },
  { kind: "number", question: "What share of the salary does Norrvik pay into the pension?", says: "6.5" },
  // Persons.
  { kind: "person", question: "Who chairs the AI steering group?", says: "Amina Rahimi" },
  { kind: "person", question: "Who led the review of the false alarms?", says: "Tobias Krüger" },
  { kind: "person", question: "Whom do I ask about prices?", says: "Lina Forsman" },
  // Dates.
  { kind: "date", question: "When did the false alarms end?", says: "09.30" },
  { kind: "date", question: "When do text messages as a second factor end?", says: "30 June 2026" },
  { kind: "date", question: "Until when must managers complete the AI course?", says: "30 June 2026" },
  // The edition that was replaced.
  {
    kind: "old edition",
    question: "What Foresight revenue did the 2024 strategy aim for?",
    says: "EUR 8.0 million",
  },
  {
    kind: "old edition",
    question: "Did the old AI strategy allow generative AI at work?",
    says: "Not allowed",
  },
  {
    kind: "old edition",
    question: "When should the website chatbot go live according to the AI strategy of 2024?",
    says: "June 2025",
  },
  // What no document says.
  { kind: "absent", question: "Does Norrvik have an office in Tokyo?", absent: true },
  { kind: "absent", question: "What is the wifi password?", absent: true },
  { kind: "absent", question: "Who is the auditor of Tideline Analytics?", absent: true },
  { kind: "absent", question: "How much does parking cost in Härnösand?", absent: true },
  { kind: "absent", question: "When does the canteen open?", absent: true },
  // Two things side by side.
  { kind: "comparison", question: "How many more hours ahead does Foresight 2 forecast?", says: "72 hours" },
  {
    kind: "comparison",
    question: "Did the pilot cost more or less than planned?",
    says: "EUR 0.03 million less",
  },
  {
    kind: "comparison",
    question: "Is the notice period longer for Norrvik than for me?",
    says: "three months",
  },
  // Other words than the documents use.
  {
    kind: "paraphrase",
    question: "How much vacation do I get once I am over fifty?",
    says: "31 days",
  },
  { kind: "paraphrase", question: "How soon must I file what a trip cost me?", says: "30 days" },
  {
    kind: "paraphrase",
    question: "What happens when somebody takes our equipment from the lake?",
    says: "blocked",
  },
  // Misspelt.
  { kind: "misspelt", question: "how long is probaton", says: "six months" },
  { kind: "misspelt", question: "What does Forsight cost per staton?", says: "EUR 1,450" },
];
