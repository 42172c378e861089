/** A request as a person types it, read as the agent reads it. All are on the Norrvik documents. */
export interface Request {
  readonly request: string;
  /** All of these stand in the answer. */
  readonly says?: readonly string[];
  /** The documents do not say it. */
  readonly absent?: true;
  /** Stands nowhere in the answer. */
  readonly never?: string;
}

const says = (request: string, ...said: readonly string[]): Request => ({ request, says: said });
const absent = (request: string): Request => ({ request, absent: true });

/** Each shows the need for a rule: counts, comparisons, files by name, several questions, reasons. */
export const KNOWN: readonly Request[] = [
  { ...says("How many employees does Norrvik have?", "412 to 439 employees"), never: "Thirty-four" },
  { ...says("How many people work at Norrvik?", "employed 412 people"), never: "doctoral" },
  { ...says("How many customers does Norrvik have?", "640 customers"), never: "Thirty-four" },
  says("How many service vehicles does Norrvik have?", "74 service vehicles"),
  says("How many regions does Norrvik sell in?", "six regions"),
  { ...says("How many people did Norrvik hire in 2025?", "hired 68 people"), never: "27 people" },
  absent("How many stations does Norrvik have?"),
  absent("How many offices are there?"),
  says("How does the 2024 strategy differ from the 2026 one?", "| Core models | Licensed | Built in-house |"),
  says("Compare the travel policy with the employee handbook", "daily allowance is EUR 48", "28 days"),
  says("Compare Kompass and Service Companion", "## Kompass", "## Service Companion", "21 days"),
  says(
    "Compare the travel policy with the policy on pets",
    "EUR 48",
    'No sentence found that answers: "the policy on pets"',
  ),
  says("Summarize customer-interviews-2025.md", "forgive a missed event", "Westerau Water"),
  says("What does security-and-privacy-faq.md say about subprocessors?", "seven companies"),
  says("What does the security FAQ say about passwords?", "a password and a second factor"),
  absent("What does the travel policy say about passwords?"),
  says("What is the budget of the AI strategy and who owns it?", "EUR 14.4 million", "Amina Rahimi"),
  says(
    "When is Neptune switched off and what is the wifi password?",
    "30 September 2027",
    "No sentence found",
  ),
];

/** Written before the answers were seen. Mend what they show in general; never tune on one. */
export const REQUESTS: readonly Request[] = [
  says("how many emploees does norrvik have", "412"),
  says("How many events did Brenna Wasserwerke have in the pilot", "9"),
  says("How much did Norrvik invest in the second line of the Härnösand plant?", "EUR 3.2 million"),
  says("List the members of the AI steering group", "Tobias Krüger and Elin Dahl"),
  says("Tell me who audited Norrvik's accounts", "Bergqvist"),
  says("What must I never enter into an AI tool that is not approved?", "drawings"),
  says("Does Foresight control valves?", "never opens or closes"),
  says("which systems are forbidden by the AI governance policy", "rank or watch employees"),
  says("Is generative AI allowed for employees?", "Not allowed"),
  says("What is the target for lead time?", "60 hours", "AI Strategy 2024"),
  says("Compare the size of the AI team in the 2024 strategy and in the 2026 strategy", "| 12 | 32 |"),
  says("what's the difference between Foresight and Foresight Enterprise", "| 1 to 99 | From 100 |"),
  says("Number of customers Norrvik serves", "640 customers"),
  says("How many patents does Norrvik hold", "27 patents"),
  says("Foresight revenue 2025", "EUR 11.39 million"),
  says("What does the handbook say about overtime?", "1.5 hours"),
  says("Summarize incident-review-2025-06-14.md", "412 false alarms"),
  says("In travel-policy.md, what may a hotel in Germany cost?", "EUR 150"),
  says("What may a hotel in Switzerland cost per night?", "EUR 185"),
  absent("What is the salary of the CEO?"),
  absent("How many customers left Norrvik in 2025?"),
  absent("When will Foresight 3 be launched?"),
  absent("Is there a canteen in Hamburg?"),
  absent("Which company wants to buy Norrvik?"),
  says("Who leads Service Companion and when does it reach DACH?", "Oskar Nyman", "31 March 2027"),
  says("How many stations were stolen in 2025 and how fast is the key blocked?", "Four", "five minutes"),
  says("Who chairs the Board, and what is the price of gold?", "Björn Halvorsen", "No sentence found"),
  says("can i borow a kayak", "kayak from the boathouse"),
  says("Why does Kvist Chemicals not want to change to Foresight 2?", "validated process"),
  says("Where may customer data be stored?", "Stockholm"),
];
