const LEADS = [
  /^(please\s+)?(find( out)?|collect|gather|research|list|report)\s+(what\s+)?/i,
  /^(please\s+)?(create|make|build|prepare)\s+(an?\s+|the\s+)?(short\s+)?(presentation|deck|report|summary|brief)\s*(of|about|on|for)?\s+/i,
  /^(please\s+)?(summari[sz]e|describe|explain|outline)\s+/i,
  /^what\s+(do|does)\s+(our|the|these)?\s*(documents?|files?|collection)\s+(say|tell us|tell|state)\s+(about|on):?\s+/i,
  /^(our|the|these)\s+(documents?|files?)\s+(say|state)\s+(about|on):?\s+/i,
];
const TAILS = [
  /[,;]?\s*\b(based on|from|using|in)\b\s+(our|the|these|those|my)\s+(documents|documentation|files|collection)\b.*$/i,
  /[,;]?\s*\b(and|with|including)\b\s+(its|our|the|their)\s+[\w\s-]*\b(figures|numbers|data|charts?|sales)\b.*$/i,
];
const BROAD =
  /\b(strategy|overview|presentation|deck|summari[sz]e|summary|report|brief|everything|documents say|findings|group)\b/i;

/** Characters of a request that are looked at: the patterns take their time on long ones. */
const MAX_READ = 1_000;

/** What a request is about, without the words that only say what to do with it. */
export function topicOf(request: string): string {
  const line = request.slice(0, MAX_READ).trimStart().split("\n", 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  let topic = line;
  for (const lead of LEADS) topic = topic.replace(lead, "");
  for (const tail of TAILS) topic = topic.replace(tail, "");
  topic = topic.split(/[:,;?.]/, 1)[0]?.trim() ?? "";
  return topic === "" ? line : topic;
}

/** Whether a request wants a topic from all sides rather than one fact. */
export const isBroad = (request: string): boolean => BROAD.test(request);

/** A side of a topic: the heading it gets, and the words it is found by. */
export interface Facet {
  readonly heading: string;
  readonly words: string;
}

export const FACETS: readonly Facet[] = [
  { heading: "Goals", words: "goals objectives targets" },
  { heading: "Initiatives", words: "initiatives projects programme" },
  { heading: "Results so far", words: "results pilot achieved" },
  { heading: "Budget", words: "budget investment costs" },
  { heading: "Timeline", words: "timeline milestones roadmap schedule" },
  { heading: "Risks and governance", words: "risks governance oversight compliance" },
];
