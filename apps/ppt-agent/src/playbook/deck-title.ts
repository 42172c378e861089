const LEADS = [
  /^(please\s+)?(can you\s+|could you\s+)?(create|make|build|prepare|produce|generate|write|draft)\s+(me\s+|us\s+)?(an?\s+|the\s+)?(short\s+|brief\s+)?(presentation|deck|slide deck|slides|slideshow|powerpoint)\s*(of|about|on|for|covering)?\s+/i,
  /^(please\s+)?(show|explain|summari[sz]e|present)\s+(me\s+|us\s+)?/i,
];
const TAILS = [
  /[,;]?\s*\b(based on|from|using|out of)\b\s+(our|the|these|those|my)\s+(documents|documentation|files|findings|data)\b.*$/i,
  /[,;]?\s*\b(and|with|including|plus)\b\s+(its|our|the|their)\s+[\w\s-]*\b(figures|numbers|data|charts?|sales)\b.*$/i,
  /\s+\bfor (?:the|an?) (?:chosen |selected )?audience\b.*$/i,
];
/** A request that names no subject: what the deck is about stands in the findings. */
const NO_SUBJECT = /^(?:of )?(?:the|these|those|our|all)?\s*(?:findings?|results?|answers?)$/i;

/** Characters of a request that are looked at: the patterns take their time on long ones. */
const MAX_READ = 1_000;

/** A deck's title out of the words of a request: "Create a deck about our AI strategy ..." is "Our AI strategy". */
export function deckTitle(request: string): string {
  const line = request.slice(0, MAX_READ).trimStart().split("\n", 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  let title = line;
  for (const lead of LEADS) title = title.replace(lead, "");
  for (const tail of TAILS) title = title.replace(tail, "");
  title = title.replace(/[.!?\s]+$/, "").trim();
  if (NO_SUBJECT.test(title)) return "Findings";
  if (title === "") title = line === "" ? "Presentation" : line;
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`.slice(0, 120);
}
