import { asksAgain, asksShorter, followUpIn } from "@troupe/core/request";

/** Label of what was asked of a deck since it was made. */
export const SINCE = "asked since";

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
  /** How often the deck was asked to be shorter, each time than the one before. */
  readonly shorter?: number;
  /** What it is to be without, each in its own words: parts whose heading has them go. */
  readonly without?: readonly Answer[];
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

const AS_NUMBER: { readonly [word: string]: number } = {
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
};
const COUNT = new RegExp(`\\b(\\d{1,2}|${Object.keys(AS_NUMBER).join("|")})[ -](?:slides?|pages?)\\b`, "i");
/** They have a slide of their own wherever something is cited. */
const SOURCES = /\b(?:sources?|citations?|references?)\s*$/i;

/**
 * The wishes of the first request, with what was asked of the deck since: a later one counts in the place of
 * an earlier one, and of what a form was answered.
 */
export function readAllWishes(
  answers: readonly Answer[],
  request: string,
  changes: readonly string[],
): Wishes {
  let wishes = readWishes(answers, request);
  for (const change of changes) {
    const slides = countIn(change);
    const { audience } = readWishes([], ` ${change}`);
    const shorter = slides === undefined && asksShorter(change);
    const asks = followUpIn(change);
    if (slides !== undefined) wishes = { ...wishes, slides, shorter: 0 };
    // What is added is one more, wherever there is a most.
    if (asks?.kind === "add" && wishes.slides !== undefined && !SOURCES.test(asks.what))
      wishes = { ...wishes, slides: wishes.slides + 1 };
    if (shorter) wishes = { ...wishes, shorter: (wishes.shorter ?? 0) + 1 };
    if (audience !== undefined) wishes = { ...wishes, audience };
    if (asks?.kind === "without") {
      const left = { label: change, value: asks.what };
      wishes = { ...wishes, without: [...(wishes.without ?? []), left] };
    }
    // Steps of their own found what is added, or is asked of something else.
    const followed = asks !== undefined && asks.kind !== "change";
    if (slides === undefined && !shorter && audience === undefined && !(followed || asksAgain(change)))
      wishes = { ...wishes, unused: [...wishes.unused, { label: SINCE, value: change }] };
  }
  return wishes;
}

const countIn = (text: string): number | undefined => {
  const [, word = ""] = COUNT.exec(text.slice(0, MAX_READ)) ?? [];
  return slideCount(String(AS_NUMBER[word.toLowerCase()] ?? word));
};

/** Sorts answers by their labels. A number of slides and an audience in the request count where no answer names one. */
export function readWishes(answers: readonly Answer[], request: string): Wishes {
  const found: {
    -readonly [K in keyof Omit<Wishes, "unused" | "slides" | "shorter" | "without">]: string;
  } & {
    slides?: number;
  } = {};
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
