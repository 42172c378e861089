import { findFigures } from "../../text/figures.ts";
import { contentKeys } from "../../text/words.ts";
import type { Statement } from "../../cite/statement.ts";
import type { OutlinePart } from "../outline-part.ts";
import { isQuestion, plainHeading } from "./heading.ts";
import { KIND_HEADINGS, KINDS, kindOf, type Kind } from "./kind.ts";

/** A part with where it is from. */
export interface PlacedPart extends OutlinePart {
  readonly documentId: string;
  readonly title: string;
  /** It stands before the first chapter, under the title alone. */
  readonly preamble: boolean;
}

export interface ArrangeOptions {
  /** Content keys of the subject. */
  readonly subject: ReadonlySet<string>;
  readonly parts: number;
  readonly perPart: number;
  /** The one document that is told in its own order, before all others. */
  readonly main?: string;
  /** Says what the subject is; stands first where the first part is about that. */
  readonly definition?: Statement;
}

interface Sorted extends PlacedPart {
  readonly kind: Kind;
  readonly at: number;
}

/** Says how to speak of the subject, or asks the reader for something: nothing about it. */
const ADVICE = /^(?:please\b|(?:do not |don['’]t |never |always )?say\b)/i;
/** Announces a list that does not follow: "Three lessons shape the plan." */
const ANNOUNCES =
  /^(?:\S+ ){0,6}(?:two|three|four|five|six|seven|eight|nine|ten) (?:things|points|questions|lessons|reasons|steps|aims|initiatives|waves|topics|rules|ways)(?: \S+){0,4}[.:]$/i;
/** What a sentence that tells what something is has after its name. */
const DEFINES =
  /\b(?:is|are|offers?|provides?|helps?|treats?|teaches|serves?|makes?|reads?|forecasts?|answers?|stores?|parses?|lets?|runs?|brings?)\b/i;
const SUMS_UP = /\b(?:summary|in brief|at a glance|overview|conclusions?|key)\b/i;
/** How something came about interests less than what came of it. */
const BEHIND = /^(?:why we\b|how we\b|method|background|history)/i;
/** Words of a sentence in which its subject is named. */
const NAMING = 5;

/**
 * The parts of an overview: those with substance, first what the subject is and does, then use, results,
 * price, limits, plans and people. Thin ones of a document are gathered, and left out where that gives
 * nothing. The document that is the subject keeps its order.
 */
export function arrange(found: readonly PlacedPart[], options: ArrangeOptions): readonly OutlinePart[] {
  const told = found.flatMap((part) => toldOf(part, options.subject));
  const sorted = told.map((part, at) => ({ ...part, at, kind: kindIn(part, options.subject) }));
  const own = sorted.filter(({ documentId }) => documentId === options.main);
  const others = sorted.filter(({ documentId }) => documentId !== options.main);
  const first = gathered(own, options).slice(0, options.parts);
  const more = chosenOf(gathered(byKind(others, options), options), options.parts - first.length, options);
  const chosen = [...first, ...more];
  // What was found and is thin still says more than nothing.
  return withDefinition(chosen.length > 0 ? chosen : sorted.slice(0, options.parts), options).map(bare);
}

function withDefinition(
  parts: readonly Sorted[],
  { definition, subject, perPart }: ArrangeOptions,
): readonly Sorted[] {
  const [first, ...more] = parts;
  if (first === undefined || definition === undefined) return parts;
  const named = first.kind === "is" || shareOf(contentKeys(first.heading), subject) > 0;
  if (!named || parts.some(({ statements }) => statements.some(({ text }) => text === definition.text)))
    return parts;
  return [{ ...first, statements: [definition, ...first.statements].slice(0, perPart) }, ...more];
}

const bare = ({ heading, statements, table, withheld }: Sorted): OutlinePart => ({
  heading: plainHeading(heading),
  statements,
  withheld,
  ...(table === undefined ? {} : { table }),
});

/** What of a part is about the subject; of what stands before the first chapter only what says what it is. */
function toldOf(part: PlacedPart, subject: ReadonlySet<string>): readonly PlacedPart[] {
  const spoken = part.statements.filter(({ text }) => !ADVICE.test(text));
  const full = spoken.filter(({ text }) => !ANNOUNCES.test(text));
  const statements = full.length > 0 ? full : spoken;
  const table = part.table;
  if (part.preamble && !statements.some(({ text }) => defines(text, subject))) return [];
  return statements.length === 0 && table === undefined ? [] : [{ ...part, statements }];
}

/** Whether a sentence tells what the subject is or does. */
function defines(text: string, subject: ReadonlySet<string>): boolean {
  const opening = text.split(/\s+/).slice(0, NAMING).join(" ");
  return DEFINES.test(text) && [...contentKeys(opening)].some((key) => subject.has(key));
}

/** A chapter tells what its heading names, else what its document does; a question stays with its document. */
function kindIn({ heading, title, preamble }: PlacedPart, subject: ReadonlySet<string>): Kind {
  if (preamble) return "is";
  const own = kindOf(heading, subject);
  const whole = kindOf(title, NO_SUBJECT);
  return (own !== "is" && isQuestion(heading) ? (whole ?? own) : (own ?? whole)) ?? "offer";
}

const NO_SUBJECT: ReadonlySet<string> = new Set();
const kindOfDocument = (title: string): Kind => kindOf(title, NO_SUBJECT) ?? "offer";

/** What says what the subject is, two statements, a table, or one statement with a figure, unless that only says how it was found. */
function hasSubstance({ heading, statements, table, kind }: Sorted, subject: ReadonlySet<string>): boolean {
  const [{ text } = { text: "" }] = statements;
  if (statements.length > 1 || table !== undefined) return true;
  return (kind === "is" && defines(text, subject)) || (findFigures(text).length > 0 && !BEHIND.test(heading));
}

/** Answers of a document to questions of one kind, and its thin chapters of one, stand together. */
function byKind(parts: readonly Sorted[], { perPart, subject }: ArrangeOptions): readonly Sorted[] {
  return grouped(parts, (part) =>
    part.kind !== "is" && (isQuestion(part.heading) || !hasSubstance(part, subject))
      ? `${part.documentId} ${part.kind}`
      : undefined,
  ).map((group) => joined(group, (first) => KIND_HEADINGS[first.kind], perPart));
}

/** Thin chapters of a document stand together under its title; what is thin even so is left out. */
function gathered(parts: readonly Sorted[], { perPart, subject }: ArrangeOptions): readonly Sorted[] {
  const thin = (part: Sorted): string | undefined =>
    hasSubstance(part, subject) ? undefined : part.documentId;
  return grouped(parts, thin)
    .map((group) => joined(group, ({ title }) => title, perPart))
    .filter((part) => hasSubstance(part, subject));
}

/** Parts with the same name stand where the first of them does; one without a name stands alone. */
function grouped(
  parts: readonly Sorted[],
  nameOf: (part: Sorted) => string | undefined,
): readonly (readonly Sorted[])[] {
  const groups = new Map<string, Sorted[]>();
  for (const part of parts) {
    const name = nameOf(part) ?? `alone ${part.at}`;
    groups.set(name, [...(groups.get(name) ?? []), part]);
  }
  return [...groups.values()];
}

function joined(group: readonly Sorted[], headingOf: (first: Sorted) => string, perPart: number): Sorted {
  const [first] = group;
  if (first === undefined) throw new RangeError("A group of no parts cannot be joined.");
  if (group.length === 1) return first;
  const table = group.find((part) => part.table !== undefined)?.table;
  const rows = Array.from({ length: perPart }, (_, at) => group.flatMap((part) => ledBy(part, at)));
  return {
    ...first,
    heading: headingOf(first),
    statements: rows.flat().slice(0, perPart),
    withheld: group.flatMap(({ withheld }) => withheld),
    ...(table === undefined ? {} : { table }),
  };
}

/** A statement under its old heading, which leads it unless it asks. */
function ledBy({ statements, heading, title }: Sorted, at: number): readonly Statement[] {
  const statement = statements[at];
  if (statement === undefined) return [];
  const leads = at === 0 && statement.lead === undefined && !isQuestion(heading) && heading !== title;
  return [leads ? { ...statement, lead: heading } : statement];
}

/** The best of each kind in turn, until there are enough; then by kind. */
function chosenOf(parts: readonly Sorted[], most: number, { subject }: ArrangeOptions): readonly Sorted[] {
  const ranked = KINDS.map((kind) =>
    parts
      .filter((part) => part.kind === kind)
      .toSorted((a, b) => worthOf(b, subject) - worthOf(a, subject) || a.at - b.at),
  );
  const longest = Math.max(0, ...ranked.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, round) => ranked.flatMap((kind) => kind[round] ?? []));
  return inTurn
    .flat()
    .slice(0, Math.max(0, most))
    .toSorted(
      (a, b) =>
        kindAt(a) - kindAt(b) ||
        sumsUp(b) - sumsUp(a) ||
        headsOn(b, subject) - headsOn(a, subject) ||
        documentAt(a) - documentAt(b) ||
        a.at - b.at,
    );
}

const sumsUp = ({ heading }: Sorted): number => (SUMS_UP.test(heading) ? 1 : 0);

const kindAt = ({ kind }: Sorted): number => KINDS.indexOf(kind);
const documentAt = ({ title }: Sorted): number => KINDS.indexOf(kindOfDocument(title));

/** How much of what a heading names first is the subject. */
const headsOn = ({ heading }: Sorted, subject: ReadonlySet<string>): number =>
  shareOf(contentKeys(heading.split(":")[0] ?? ""), subject);

function worthOf(part: Sorted, subject: ReadonlySet<string>): number {
  const { statements, heading, table } = part;
  const naming = statements.filter(({ text }) => [...contentKeys(text)].some((key) => subject.has(key)));
  const figures = statements.filter(({ text }) => findFigures(text).length > 0);
  return (
    2 * sumsUp(part) +
    (BEHIND.test(heading) ? -2 : 0) +
    2 * shareOf(contentKeys(heading), subject) +
    shareOf(contentKeys(part.title), subject) +
    (naming.length + figures.length) / Math.max(1, statements.length) +
    (table === undefined ? 0 : 0.5)
  );
}

/** Share of the words of a heading that are of the subject. */
function shareOf(keys: ReadonlySet<string>, subject: ReadonlySet<string>): number {
  return [...keys].filter((key) => subject.has(key)).length / Math.max(1, keys.size);
}
