import type { Point, SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { countWords } from "../text/words.ts";
import type { ComposeContext } from "./context.ts";
import { createDraft, pointWords, type Draft, type DraftInput } from "./draft.ts";
import type { Column, Content, Marked, Page } from "./page.ts";
import { partition } from "./partition.ts";
import { withFigures } from "./figures.ts";

const MAX_ROWS = 6;
const MAX_FIGURES = 4;

export function composeCover(slide: SlideOf<"title">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, false), context.book);
  const byline = [slide.author, slide.date]
    .flatMap((t) => (t === undefined ? [] : [draft.short(t, 8)]))
    .join("  ·  ");
  return draft.pages([
    {
      form: "cover",
      ...(slide.subtitle === undefined ? {} : { subtitle: draft.short(slide.subtitle, 16) }),
      ...(byline === "" ? {} : { byline }),
    },
  ]);
}

export function composeAgenda(slide: SlideOf<"agenda">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, false), context.book);
  const items = slide.items.map((item) => draft.short(item, 8));
  const runs = partition(items, (item) => countWords(item) + 1, draft.budget, 7);
  let first = 1;
  return draft.pages(
    runs.map((run): Content => {
      const content: Content = { form: "agenda", items: run, first };
      first += run.length;
      return content;
    }),
  );
}

export function composeSection(slide: SlideOf<"section">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, false), context.book);
  return draft.pages([
    {
      form: "section",
      number: context.sections,
      ...(slide.subtitle === undefined ? {} : { subtitle: draft.short(slide.subtitle, 16) }),
    },
  ]);
}

export function composeBullets(slide: SlideOf<"bullets">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context, isCited(slide.points)), context.book);
  return draft.pages(pointContents(slide.points, draft));
}

/** Rows of statements, or figures side by side where every statement has one. */
function pointContents(points: readonly Point[], draft: Draft): readonly Content[] {
  const marked = withFigures(points.map((point) => draft.point(point)));
  const figures = marked.every((point) => point.figure !== undefined);
  const runs = partition(marked, pointWords, draft.budget, figures ? MAX_FIGURES : MAX_ROWS);
  return runs.map((run): Content => ({ form: figures ? "figures" : "points", points: run }));
}

export function composeColumns(slide: SlideOf<"two-columns">, context: ComposeContext): readonly Page[] {
  const cited = isCited([...slide.left.points, ...slide.right.points]);
  const draft = createDraft(draftInput(slide, context, cited), context.book);
  const heads = [slide.left, slide.right].map((c) =>
    c.heading === undefined ? undefined : draft.short(c.heading, 5),
  );
  const headWords = heads.reduce((n, head) => n + countWords(head ?? ""), 0);
  const room = Math.max(8, draft.budget - headWords);
  const sides = [slide.left, slide.right].map((c) =>
    c.points.map((p) => draft.point(p, Math.floor(room / 2))),
  );
  const [left = [], right = []] = sides;

  // The fewest slides on which each pair of column parts fits.
  const longest = Math.max(left.length, right.length);
  for (let count = 1; count <= longest; count++) {
    const cuts = [left, right].map((side) => even(side, count));
    const pairs = Array.from({ length: count }, (_, i) => [cuts[0]?.[i] ?? [], cuts[1]?.[i] ?? []] as const);
    const fits = pairs.every(
      ([a, b]) =>
        [...a, ...b].reduce((n, p) => n + pointWords(p), 0) <= room && Math.max(a.length, b.length) <= 4,
    );
    if (fits || count === longest) {
      return draft.pages(
        pairs.map(([a, b]): Content => ({
          form: "columns",
          columns: [columnOf(heads[0], a), columnOf(heads[1], b)],
        })),
      );
    }
  }
  return [];
}

function columnOf(heading: string | undefined, points: readonly Marked[]): Column {
  return { ...(heading === undefined ? {} : { heading }), points };
}

/** Cuts a list into `count` runs whose lengths differ by at most one. */
function even<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.ceil((i * items.length) / count), Math.ceil(((i + 1) * items.length) / count)),
  );
}

export function composeQuote(slide: SlideOf<"quote">, context: ComposeContext): readonly Page[] {
  const cited = (slide.sources?.length ?? 0) > 0;
  const draft = createDraft({ ...draftInput(slide, context, cited), title: slide.title ?? "" }, context.book);
  const by = slide.by === undefined ? undefined : draft.short(slide.by, 8);
  const quote = draft.short(unquoted(slide.quote), draft.budget - countWords(by ?? ""));
  return draft.pages([{ form: "quote", quote, ...(by === undefined ? {} : { by }), marks: draft.marks }]);
}

export function composeClosing(slide: SlideOf<"closing">, context: ComposeContext): readonly Page[] {
  const points = slide.points ?? [];
  const draft = createDraft(draftInput(slide, context, isCited(points)), context.book);
  const contact = slide.contact === undefined ? undefined : draft.short(slide.contact, 8);
  const room = draft.budget - countWords(contact ?? "");
  const runs = partition(
    points.map((p) => draft.point(p, room)),
    pointWords,
    room,
    5,
  );
  const last = runs.length - 1;
  const contents = runs.map((run, i): Content => {
    if (i < last) return { form: "points", points: run };
    return { form: "closing", points: run, ...(contact === undefined ? {} : { contact }) };
  });
  return draft.pages(
    contents.length > 0
      ? contents
      : [{ form: "closing", points: [], ...(contact === undefined ? {} : { contact }) }],
  );
}

export const isCited = (points: readonly Point[]): boolean =>
  points.some((point) => "sources" in point && (point.sources?.length ?? 0) > 0);

export function draftInput(
  slide: { readonly title?: string; readonly notes?: string; readonly sources?: SlideOf<"title">["sources"] },
  context: ComposeContext,
  cited: boolean,
): DraftInput {
  return {
    title: slide.title ?? "",
    cited,
    from: context.from,
    ...(slide.notes === undefined ? {} : { notes: slide.notes }),
    ...(slide.sources === undefined ? {} : { sources: slide.sources }),
  };
}

const unquoted = (text: string): string => cleanLine(text).replace(/^["“”„«»]+|["“”„«»]+$/g, "");
