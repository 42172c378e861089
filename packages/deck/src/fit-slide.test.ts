import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fitSlide } from "./fit-slide.ts";
import { layoutDeck } from "./layout/layout-deck.ts";
import { deckSpecSchema } from "./spec/deck-spec.ts";
import { slideSchema, type SlideInput } from "./spec/slide-schema.ts";

const fit = (slide: SlideInput) => fitSlide(slideSchema.parse(slide));
const statements = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `Statement ${i} stands on one line of the slide`);

test("a slide that fits says at what size", () => {
  expect(fit({ kind: "bullets", title: "Five", points: statements(5) })).toEqual({
    fits: true,
    slides: 1,
    sizes: { title: 30, body: 22 },
    text: "Fits on one slide, text at 22 pt.",
  });
});

test("one that does not says how many slides it takes and how much has room", () => {
  expect(fit({ kind: "bullets", title: "Many", points: statements(14) })).toMatchObject({
    fits: false,
    slides: 2,
    text: "Needs 2 slides: 14 bullets, room for 12 at 14 pt.",
  });
  const rows = Array.from({ length: 18 }, (_, i) => [`Row ${i}`, i]);
  expect(fit({ kind: "table", title: "T", columns: ["Row", "Count"], rows })).toMatchObject({
    fits: false,
    text: "Needs 2 slides: 18 rows, room for 15 at 12 pt.",
  });
  const columns = { left: { points: statements(16) }, right: { points: statements(2) } };
  expect(fit({ kind: "two-columns", title: "T", ...columns }).text).toMatch(
    /^Needs 2 slides: two columns of 16 and 2 statements, room for \d+ each at 12 pt\.$/,
  );
});

test("a title of more than two lines does not fit, and is kept whole", () => {
  const title = "A title that says far more than any person would read while another one is speaking "
    .repeat(3)
    .trim();
  const { fits, slides, text } = fit({ kind: "bullets", title, points: ["x", "y"] });
  expect({ fits, slides }).toEqual({ fits: false, slides: 1 });
  expect(text).toMatch(/The title takes 3 lines; at most 2\. Shorten it/);
});

test("a list of sources always fits", () => {
  expect(fit({ kind: "sources" })).toMatchObject({ fits: true });
});

test("a slide is measured alone as in a deck", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 30 }), (count, words) => {
      const points = Array.from({ length: count }, () => "word ".repeat(words).trim());
      const slide: SlideInput = { kind: "bullets", title: "T", points };
      const deck = layoutDeck(
        deckSpecSchema.parse({ v: 1, title: "D", slides: [{ kind: "section", title: "S" }, slide] }),
      );
      expect(fit(slide).slides).toBe(deck.slides.filter(({ from }) => from === 1).length);
    }),
    { numRuns: 30 },
  );
});
