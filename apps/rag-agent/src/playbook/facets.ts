/** A side of a plan or strategy: the heading it gets, and the words its chapter is found by. */
export interface Facet {
  readonly heading: string;
  readonly words: string;
}

export const FACETS: readonly Facet[] = [
  { heading: "In short", words: "summary" },
  { heading: "Goals", words: "goals objectives targets" },
  { heading: "Initiatives", words: "initiatives projects programme" },
  { heading: "Results so far", words: "results pilot achieved" },
  { heading: "Budget", words: "budget investment costs" },
  { heading: "Timeline", words: "timeline milestones roadmap schedule" },
  { heading: "Risks", words: "risks threats" },
  { heading: "Governance", words: "governance oversight compliance principles" },
];

/** Documents with this many of the sides as chapters are a plan; others keep their own headings. */
const LEAST = 4;

/** The sides, when the chapters of the documents have most of them; else none. */
export function facetsOf(headings: readonly string[]): readonly Facet[] {
  const words = headings.map((heading) => new Set(heading.toLowerCase().match(/\p{L}+/gu)));
  const met = FACETS.filter((facet) =>
    facet.words.split(" ").some((word) => words.some((of) => of.has(word) || of.has(word.replace(/s$/, "")))),
  );
  return met.length >= LEAST ? FACETS : [];
}
