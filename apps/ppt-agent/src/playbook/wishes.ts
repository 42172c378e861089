/** What a person asked for in a form before the deck. */
export interface Answer {
  readonly label: string;
  readonly value: string;
}

/** The answers that a deck by fixed rules can follow, and those that it cannot. */
export interface Wishes {
  readonly title?: string;
  readonly audience?: string;
  readonly author?: string;
  readonly date?: string;
  /** Words to look for in headings: such parts come first. */
  readonly focus?: string;
  /** Slides at most. */
  readonly slides?: number;
  readonly unused: readonly Answer[];
}

const MIN_SLIDES = 3;
const MAX_SLIDES = 60;
const MAX_CHARS = 120;
/** Characters of a request that are looked at. */
const MAX_READ = 2_000;

/** ` for the board`, at the end of a request or before a comma: who, where it is people and no subject. */
export const FOR_AUDIENCE =
  /\s+for ((?:the|our|my) (?:(?:executive|management|leadership|supervisory|advisory|steering) )?(?:board(?: of directors)?|council|committee|team|management|leadership|executives|managers|directors|investors|shareholders|staff|employees|colleagues|boss))(?=[\s,.;!?]*$|[,;])/i;

const KINDS = [
  ["slides", /\b(slides?|pages|length)\b/i],
  ["audience", /\b(audience|readers?|listeners?|who\b.{0,30}\bfor)\b/i],
  ["title", /\b(title|headline)\b/i],
  ["author", /\b(author|presenter|speaker|presented by)\b/i],
  ["date", /\b(date|day|when)\b/i],
  ["focus", /\b(focus|dwell|emphasis|emphasi[sz]e|stress|priority)\b/i],
] as const;

/** Sorts answers by their labels. A number of slides and an audience in the request count where no answer names one. */
export function readWishes(answers: readonly Answer[], request: string): Wishes {
  const found: { -readonly [K in keyof Omit<Wishes, "unused" | "slides">]: string } & { slides?: number } =
    {};
  const unused: Answer[] = [];
  for (const answer of answers) {
    const value = answer.value.trim();
    if (value === "") continue;
    const kind = KINDS.find(([, label]) => label.test(answer.label.slice(0, MAX_CHARS)))?.[0];
    if (kind === undefined || found[kind] !== undefined || value.length > MAX_CHARS) unused.push(answer);
    else if (kind !== "slides") found[kind] = value;
    else {
      const slides = slideCount(/\d+/.exec(value)?.[0]);
      if (slides === undefined) unused.push(answer);
      else found.slides = slides;
    }
  }
  const inRequest = slideCount(/\b(\d{1,2})[ -]slides?\b/i.exec(request.slice(0, MAX_READ))?.[1]);
  const [, audience] = FOR_AUDIENCE.exec(request.slice(0, MAX_READ)) ?? [];
  const { slides = inRequest, ...rest } = found;
  return {
    ...(audience === undefined ? {} : { audience }),
    ...rest,
    ...(slides === undefined ? {} : { slides }),
    unused,
  };
}

function slideCount(digits: string | undefined): number | undefined {
  const n = Number(digits);
  return n >= MIN_SLIDES && n <= MAX_SLIDES ? n : undefined;
}
