import { MIN_COLUMN_PT, MIN_TEXT_PT } from "../layout/fit.ts";
import { LIMITS } from "../spec/limits.ts";
import type { SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import type { ComposeContext } from "./context.ts";
import { createDraft, paginatePoints, type DraftInput } from "./draft.ts";
import type { Column, Content, Marked, Page } from "./page.ts";
import { paginate, splitText } from "./paginate.ts";

export function composeCover(slide: SlideOf<"title">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const subtitle = slide.subtitle ?? context.basis;
  const named = [slide.author, context.company, slide.date].flatMap((t) =>
    t === undefined ? [] : [cleanLine(t)],
  );
  const byline = [...new Set(named)].join("  ·  ");
  return draft.pages([
    {
      form: "cover",
      ...(subtitle === undefined ? {} : { subtitle: cleanLine(subtitle) }),
      ...(byline === "" ? {} : { byline }),
    },
  ]);
}

export function composeAgenda(slide: SlideOf<"agenda">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const items = slide.items.map(cleanLine);
  const contentOf = (run: readonly string[], first: number): Content => ({
    form: "agenda",
    items: run,
    first,
  });
  const fits = (run: readonly string[]): boolean => context.fits(contentOf(run, items.length));
  const { runs, room } = paginate(items, fits, (item) => splitText(item, (head) => fits([head])));
  if (runs.length > 1) draft.explain(`${items.length} parts, room for ${room} at ${MIN_TEXT_PT} pt`);
  let first = 1;
  return draft.pages(
    runs.map((run): Content => {
      const content = contentOf(run, first);
      first += run.length;
      return content;
    }),
  );
}

export function composeSection(slide: SlideOf<"section">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  return draft.pages([
    {
      form: "section",
      number: context.sections,
      ...(slide.subtitle === undefined ? {} : { subtitle: cleanLine(slide.subtitle) }),
    },
  ]);
}

/** Rows of statements, or key figures on cards. */
export function composeBullets(slide: SlideOf<"bullets">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const points = slide.points.map((point) => draft.point(point));
  const cards = keyFigures(points);
  if (cards !== undefined && context.fits(cards)) return draft.pages([cards]);
  const contentOf = (run: readonly Marked[]): Content => ({
    form: run.every(({ figure }) => figure !== undefined) ? "figures" : "points",
    points: run,
  });
  const what = points.every(({ figure }) => figure !== undefined) ? "figures" : "bullets";
  const runs = paginatePoints(points, contentOf, { context, draft, what, pt: MIN_TEXT_PT });
  return draft.pages(runs.map(contentOf));
}

const MIN_CARDS = 3;
const MAX_CARDS = 6;
/** Statements below figures. */
export const MAX_REMARKS = 2;
/** Characters of the label of a figure that is read from a statement; longer ones read better in rows. */
const MAX_LABEL = 60;

/**
 * Two to six figures with one or two statements after them, or three to six statements that each consist of a number and
 * its label, such as `84.8 % of contracts renewed` or `Lead time: 60 hours`. Undefined for other points.
 */
function keyFigures(points: readonly Marked[]): Content | undefined {
  const plain = points.findIndex(({ figure }) => figure === undefined);
  if (plain === -1) return undefined;
  const [figures, remarks] = [points.slice(0, plain), points.slice(plain)];
  if (figures.length > 0) {
    const isFew = figures.length > 1 && figures.length <= MAX_CARDS && remarks.length <= MAX_REMARKS;
    return isFew && remarks.every(({ figure }) => figure === undefined)
      ? { form: "figures", points: figures, remarks }
      : undefined;
  }
  const read = points.flatMap((point) => withFigure(point) ?? []);
  const withUnit = read.filter(({ figure }) => /[^\d.,\s]/u.test(figure));
  const isAll = read.length === points.length && read.length >= MIN_CARDS && read.length <= MAX_CARDS;
  return isAll && withUnit.length * 2 >= read.length ? { form: "figures", points: read } : undefined;
}

const CURRENCY = "(?:[A-Z]{3}|[€$£¥])";
const UNIT =
  "(?:%|‰|×|x|pp|points?|percent|thousand|million|billion|k|M|bn|ms|s|h|min|minutes|hours|days|weeks|months|years)";
const FIGURE = `[<>≤≥~±+−–-]?\\s?(?:${CURRENCY}\\s?)?\\d(?:[\\d.,]*\\d)?(?:\\s?(?:of|to|[–/:])\\s?\\d[\\d.,]*)?(?:\\s?${UNIT}(?![\\p{L}\\d]))?(?:\\s${CURRENCY}(?!\\p{L}))?`;
const ALL_FIGURE = new RegExp(`^${FIGURE}$`, "u");
const FIGURE_FIRST = new RegExp(`^(${FIGURE}) (\\p{L}.*)$`, "u");
const LABEL_FIRST = new RegExp(`^([^:\\d]{2,40}): (${FIGURE}(?: \\p{L}.*)?)$`, "u");
const DATE_OR_YEAR =
  /^\d{1,2}\.? (?:jan|feb|mar|mär|apr|ma[yi]|jun|jul|aug|sep|okt|oct|nov|de[cz])\p{L}*\.?(?!\p{L})|^(?:19|20)\d\d(?![\d.,%])/iu;

/** A number and its label, in either order; undefined for any other statement. */
function withFigure({ text, lead, marks }: Marked): (Marked & { readonly figure: string }) | undefined {
  const whole = lead === undefined ? text : `${lead} ${text}`;
  const [, label = "", value = ""] = LABEL_FIRST.exec(whole) ?? [];
  if (value !== "") {
    const isFigure = value.length <= LIMITS.figureChars && !DATE_OR_YEAR.test(value);
    return isFigure ? { text: label, figure: value, marks } : undefined;
  }
  const [, first = "", rest = ""] =
    lead === undefined ? (FIGURE_FIRST.exec(text) ?? []) : ALL_FIGURE.test(lead) ? ["", lead, text] : [];
  if (first === "" || DATE_OR_YEAR.test(whole) || rest.length > MAX_LABEL) return undefined;
  return { text: rest, figure: first, marks };
}

interface Pair {
  readonly left?: Marked;
  readonly right?: Marked;
}

/** Always side by side; text beyond one slide continues side by side on the next. */
export function composeColumns(slide: SlideOf<"two-columns">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide), context);
  const sides = [slide.left, slide.right].map(({ points }) => points.map((point) => draft.point(point)));
  const [left = [], right = []] = sides;
  const pairs = Array.from({ length: Math.max(left.length, right.length) }, (_, i): Pair =>
    pairOf(left[i], right[i]),
  );
  const contentOf = (run: readonly Pair[]): Content => ({
    form: "columns",
    columns: [
      columnOf(
        slide.left.heading,
        run.flatMap((pair) => pair.left ?? []),
      ),
      columnOf(
        slide.right.heading,
        run.flatMap((pair) => pair.right ?? []),
      ),
    ],
  });
  const fits = (run: readonly Pair[]): boolean => context.fits(contentOf(run));
  const { runs, room } = paginate(pairs, fits, (pair) => splitPair(pair, fits));
  if (runs.length > 1)
    draft.explain(
      `two columns of ${left.length} and ${right.length} statements, room for ${room === 0 ? "less than one each" : `${room} each`} at ${MIN_COLUMN_PT} pt`,
    );
  return draft.pages(runs.map(contentOf));
}

const pairOf = (left: Marked | undefined, right: Marked | undefined): Pair => ({
  ...(left === undefined ? {} : { left }),
  ...(right === undefined ? {} : { right }),
});

/** Each side is cut to what fits with the other side empty: both then fit together. */
function splitPair(
  { left, right }: Pair,
  fits: (run: readonly Pair[]) => boolean,
): readonly [Pair, Pair] | undefined {
  const cut = (
    point: Marked | undefined,
    pair: (head: Marked) => Pair,
  ): readonly [Marked | undefined, Marked | undefined] => {
    if (point === undefined || fits([pair(point)])) return [point, undefined];
    const parts = splitText(point.text, (text) => fits([pair({ ...point, text })]));
    return parts === undefined
      ? [point, undefined]
      : [
          { ...point, text: parts[0] },
          { text: parts[1], marks: point.marks },
        ];
  };
  const [leftHead, leftTail] = cut(left, (head) => ({ left: head }));
  const [rightHead, rightTail] = cut(right, (head) => ({ right: head }));
  if (leftTail === undefined && rightTail === undefined) return undefined;
  return [pairOf(leftHead, rightHead), pairOf(leftTail, rightTail)];
}

function columnOf(heading: string | undefined, points: readonly Marked[]): Column {
  return { ...(heading === undefined ? {} : { heading: cleanLine(heading) }), points };
}

export function composeQuote(slide: SlideOf<"quote">, context: ComposeContext): readonly Page[] {
  const draft = createDraft({ ...draftInput(slide), title: slide.title ?? "" }, context);
  const by = slide.by === undefined ? {} : { by: cleanLine(slide.by) };
  const contentOf = (quote: string): Content => ({ form: "quote", quote, ...by, marks: draft.marks });
  const whole = unquoted(slide.quote);
  const fits = (quote: string): boolean => context.fits(contentOf(quote));
  const { runs } = paginate(
    [whole],
    ([quote = ""]) => fits(quote),
    (quote) => splitText(quote, fits),
  );
  const quotes = runs.flat();
  if (quotes.length > 1)
    draft.explain(
      `a quote of ${whole.length} characters, room for about ${quotes[0]?.length ?? 0} at ${MIN_TEXT_PT} pt`,
    );
  return draft.pages(quotes.map(contentOf));
}

export function composeClosing(slide: SlideOf<"closing">, context: ComposeContext): readonly Page[] {
  const points = slide.points ?? [];
  const draft = createDraft(draftInput(slide), context);
  const contact = slide.contact === undefined ? undefined : cleanLine(slide.contact);
  // Nothing but a title: set like a section, so that the slide does not look forgotten.
  if (points.length === 0)
    return draft.pages([{ form: "section", ...(contact === undefined ? {} : { subtitle: contact }) }]);
  const closing = (run: readonly Marked[]): Content => ({
    form: "closing",
    points: run,
    ...(contact === undefined ? {} : { contact }),
  });
  const runs = paginatePoints(
    points.map((point) => draft.point(point)),
    closing,
    { context, draft, what: "statements", pt: MIN_TEXT_PT },
  );
  return draft.pages(
    runs.map((run, i): Content => (i < runs.length - 1 ? { form: "points", points: run } : closing(run))),
  );
}

export function draftInput(slide: {
  readonly title?: string;
  readonly notes?: string;
  readonly sources?: SlideOf<"title">["sources"];
  readonly more?: SlideOf<"title">["more"];
  readonly data?: SlideOf<"title">["data"];
}): DraftInput {
  return {
    title: slide.title ?? "",
    ...(slide.notes === undefined ? {} : { notes: slide.notes }),
    ...(slide.sources === undefined ? {} : { sources: slide.sources }),
    ...(slide.more === undefined ? {} : { more: slide.more }),
    ...(slide.data === undefined ? {} : { data: slide.data }),
  };
}

const QUOTE_MARKS = /["“”„«»]/;

/** Without the marks around the whole quote: the slide sets its own. Others stay. */
function unquoted(text: string): string {
  const line = cleanLine(text);
  const [, inner] = /^["“”„«»](.+)["“”„«»]$/.exec(line) ?? [];
  return inner === undefined || QUOTE_MARKS.test(inner) ? line : inner.trim();
}
