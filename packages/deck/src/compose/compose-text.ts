import type { Point, SlideOf } from "../spec/slide-schema.ts";
import { cleanLine } from "../text/clean.ts";
import { tighten } from "../text/tighten.ts";
import { capWidth, roomInWords } from "../text/words.ts";
import type { ComposeContext } from "./context.ts";
import { createDraft, pointWords, type Draft, type DraftInput } from "./draft.ts";
import type { Column, Content, Marked, Page } from "./page.ts";
import { partition } from "./partition.ts";
import { withFigures } from "./figures.ts";

const MAX_ROWS = 6;
const MAX_FIGURES = 4;
const MAX_AGENDA = 10;

export function composeCover(slide: SlideOf<"title">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context), context.book);
  const subtitle = slide.subtitle ?? context.basis;
  const byline = [slide.author, slide.date]
    .flatMap((t) => (t === undefined ? [] : [draft.short(t, 8)]))
    .join("  ·  ");
  return draft.pages([
    {
      form: "cover",
      ...(subtitle === undefined ? {} : { subtitle: draft.short(subtitle, 16) }),
      ...(byline === "" ? {} : { byline }),
    },
  ]);
}

export function composeAgenda(slide: SlideOf<"agenda">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context), context.book);
  // One slide where four words an item are enough for that, else as many as it takes. A number counts, too.
  const wordsAt = (limit: number): number =>
    slide.items.reduce((n, item) => n + 1 + roomInWords(capWidth(tighten(cleanLine(item), limit), limit)), 0);
  const limit = [10, 9, 8, 7, 6, 5, 4].find((max) => wordsAt(max) <= draft.budget) ?? 8;
  const items = slide.items.map((item) => draft.short(item, limit));
  const runs = draft.runs(items, (item) => roomInWords(item) + 1, MAX_AGENDA);
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
  const draft = createDraft(draftInput(slide, context), context.book);
  return draft.pages([
    {
      form: "section",
      number: context.sections,
      ...(slide.subtitle === undefined ? {} : { subtitle: draft.short(slide.subtitle, 16) }),
    },
  ]);
}

export function composeBullets(slide: SlideOf<"bullets">, context: ComposeContext): readonly Page[] {
  const draft = createDraft(draftInput(slide, context), context.book);
  return draft.pages(pointContents(slide.points, draft));
}

/** Rows of statements, or figures side by side where every statement has one. */
function pointContents(points: readonly Point[], draft: Draft): readonly Content[] {
  const marked = withFigures(points.map((point) => draft.point(point)));
  const figures = marked.every((point) => point.figure !== undefined);
  const runs = draft.runs(marked, pointWords, figures ? MAX_FIGURES : MAX_ROWS);
  return runs.map((run): Content => ({ form: figures ? "figures" : "points", points: run }));
}

/** Side by side where both sides fit in short form; else one side after the other, each on slides of its own. */
export function composeColumns(slide: SlideOf<"two-columns">, context: ComposeContext): readonly Page[] {
  const sides = [slide.left, slide.right] as const;
  const draft = createDraft(draftInput(slide, context), context.book);
  const heads = sides.map((side) => (side.heading === undefined ? undefined : draft.short(side.heading, 6)));
  const words = (texts: readonly string[]): number => texts.reduce((n, text) => n + roomInWords(text), 0);
  const all = sides.flatMap((side) => side.points.map((point) => cleanLine(point.text)));
  const most = Math.max(...sides.map((side) => side.points.length));
  if (most <= 4 && words([...all, ...heads.map((head) => head ?? "")]) <= draft.budget) {
    const [left, right] = sides.map((side, i) =>
      columnOf(
        heads[i],
        side.points.map((p) => draft.point(p)),
      ),
    );
    if (left !== undefined && right !== undefined)
      return draft.pages([{ form: "columns", columns: [left, right] }]);
  }
  return draft.pages(
    sides.flatMap((side, i) => {
      const heading = heads[i];
      // One side after the other is two slides at least: a word each for the `(1/2)`.
      const room = draft.budget - 1 - roomInWords(heading ?? "");
      const points = side.points.map((p) => draft.point(p, Math.min(18, room)));
      return partition(points, pointWords, room, MAX_ROWS - 1).map((run): Content => ({
        form: "points",
        points: run,
        ...(heading === undefined ? {} : { heading }),
      }));
    }),
  );
}

function columnOf(heading: string | undefined, points: readonly Marked[]): Column {
  return { ...(heading === undefined ? {} : { heading }), points };
}

export function composeQuote(slide: SlideOf<"quote">, context: ComposeContext): readonly Page[] {
  const draft = createDraft({ ...draftInput(slide, context), title: slide.title ?? "" }, context.book);
  const by = slide.by === undefined ? undefined : draft.short(slide.by, 8);
  const quote = draft.short(unquoted(slide.quote), draft.budget - roomInWords(by ?? ""));
  return draft.pages([{ form: "quote", quote, ...(by === undefined ? {} : { by }), marks: draft.marks }]);
}

export function composeClosing(slide: SlideOf<"closing">, context: ComposeContext): readonly Page[] {
  const points = slide.points ?? [];
  const draft = createDraft(draftInput(slide, context), context.book);
  const contact = slide.contact === undefined ? undefined : draft.short(slide.contact, 8);
  const room = draft.budget - roomInWords(contact ?? "");
  const runs = draft.runs(
    points.map((p) => draft.point(p, room)),
    pointWords,
    5,
    draft.budget - room,
  );
  const last = runs.length - 1;
  const contents = runs.map((run, i): Content => {
    if (i < last) return { form: "points", points: run };
    return { form: "closing", points: run, ...(contact === undefined ? {} : { contact }) };
  });
  if (contents.length > 0) return draft.pages(contents);
  // Nothing but a title: set like a section, so that the slide does not look forgotten.
  return draft.pages([{ form: "section", ...(contact === undefined ? {} : { subtitle: contact }) }]);
}

export function draftInput(
  slide: {
    readonly title?: string;
    readonly notes?: string;
    readonly sources?: SlideOf<"title">["sources"];
    readonly more?: SlideOf<"title">["more"];
    readonly data?: SlideOf<"title">["data"];
  },
  context: ComposeContext,
): DraftInput {
  return {
    title: slide.title ?? "",
    ...(context.from === undefined ? {} : { from: context.from }),
    ...(slide.notes === undefined ? {} : { notes: slide.notes }),
    ...(slide.sources === undefined ? {} : { sources: slide.sources }),
    ...(slide.more === undefined ? {} : { more: slide.more }),
    ...(slide.data === undefined ? {} : { data: slide.data }),
  };
}

const unquoted = (text: string): string => cleanLine(text).replace(/^["“”„«»]+|["“”„«»]+$/g, "");
