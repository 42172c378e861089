import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MarkerGate, type GatePart } from "./marker-gate.ts";

/** A piece of text, or a tool call between two. */
type Piece = string | null;

interface Split {
  readonly open: string;
  readonly answer: string;
}

function pass(pieces: readonly Piece[]): readonly GatePart[] {
  const gate = new MarkerGate();
  const parts = pieces.flatMap((piece) => (piece === null ? gate.boundary() : gate.push(piece)));
  return [...parts, ...gate.end()];
}

function split(pieces: readonly Piece[]): Split {
  const parts = pass(pieces);
  const textOf = (role: GatePart["role"]): string =>
    parts
      .filter((part) => part.role === role)
      .map((part) => part.text)
      .join("");
  return { open: textOf("open"), answer: textOf("answer") };
}

const CASES: readonly (readonly [string, readonly Piece[], Split])[] = [
  [
    "narration in the marker's own chunk",
    ["Planning the search. [FINAL ANSWER]\n\nParis is the capital."],
    { open: "Planning the search. ", answer: "Paris is the capital." },
  ],
  [
    "line breaks over several chunks, and no later ones",
    ["Thinking. [FINAL ANSWER]", "\n", "\n\r\n", "Here", "'s it\n"],
    { open: "Thinking. ", answer: "Here's it\n" },
  ],
  [
    "a repeated marker",
    ["Now. [FINAL ANSWER]\n[FINAL_ANSWER]\nPart one. ", "More [FINAL ANSWER]\npart two."],
    { open: "Now. ", answer: "Part one. More \npart two." },
  ],
  [
    "a marker that would come of dropping another",
    ["a [FINAL ANSWER]b [FINAL[FINAL ANSWER] ANSWER] c"],
    { open: "a ", answer: "b [FINAL c" },
  ],
  [
    "several of these, wrapped, nested, and with two between",
    [
      "[FINAL ANSWER][FINAL_**[FINAL ANSWER]**ANSWER] [FINAL[FINAL[FINAL ANSWER] ANSWER] ANSWER]",
      " [[FINAL ANSWER][FINAL_ANSWER]final answer]",
    ],
    { open: "", answer: "[FINAL_ [FINAL[FINAL [" },
  ],
  [
    "what only looks like one of these",
    ["[FINAL ANSWER][FINAL[FINAL ANSWER] ANSWERS] [FINAL[FINAL ANSWER]", " ANSW"],
    { open: "", answer: "[FINAL ANSWERS] [FINAL ANSW" },
  ],
  ["a colon behind it", ["Hm. [FINAL ANSWER]:\nParis: yes"], { open: "Hm. ", answer: "Paris: yes" }],
  ["a colon in its wrapping", ["Hm. **[FINAL ANSWER]:** Paris"], { open: "Hm. ", answer: " Paris" }],
  ["a colon behind its wrapping", ["**[FINAL ANSWER]**: Paris"], { open: "", answer: " Paris" }],
  ["a colon of the answer", ["[FINAL ANSWER]\n:-) yes"], { open: "", answer: ":-) yes" }],
  ["no marker", ["Hi ", "there"], { open: "Hi there", answer: "" }],
  ["a marker at the very start", ["[FINAL ANSWER]", "\n42"], { open: "", answer: "42" }],
  ["a marker and nothing", ["Nothing. [FINAL ANSWER]"], { open: "Nothing. ", answer: "" }],
  ["the other spelling", ["a [FINAL_ANSWER] b"], { open: "a ", answer: " b" }],
  ["any case", ["a [Final answer]b"], { open: "a ", answer: "b" }],
  [
    "near misses",
    ["Not [FINAL ANSWE yet, ", "[FINAL VERDICT] [[FINAL-ANSWER] [[FINAL ANSWER]ok"],
    { open: "Not [FINAL ANSWE yet, [FINAL VERDICT] [[FINAL-ANSWER] [", answer: "ok" },
  ],
  [
    "characters of two units",
    ["Ich prüfe 🔎🔎 ", "[FINAL ANSWER]", "\nFertig ✅ 😀"],
    { open: "Ich prüfe 🔎🔎 ", answer: "Fertig ✅ 😀" },
  ],
  ["bold", ["a\n\n**[FINAL ANSWER]**\n\n**b**"], { open: "a\n\n", answer: "**b**" }],
  ["bold with underlines", ["a __[FINAL ANSWER]__ b"], { open: "a ", answer: " b" }],
  ["italic", ["*[FINAL ANSWER]*\nb"], { open: "", answer: "b" }],
  ["a heading", ["a\n## [FINAL ANSWER]\nb"], { open: "a\n", answer: "b" }],
  ["a bold heading", ["### **[FINAL ANSWER]**\nb"], { open: "", answer: "b" }],
  ["wrapping that is not closed", ["a **[FINAL ANSWER] b**"], { open: "a **", answer: " b**" }],
  ["no heading within a line", ["a ## [FINAL ANSWER]b"], { open: "a ## ", answer: "b" }],
  ["wrapping without a marker", ["a\n## **b** *c* __"], { open: "a\n## **b** *c* __", answer: "" }],
  ["too many stars", ["****[FINAL ANSWER]****"], { open: "****", answer: "****" }],
  ...['""', "''", "``", "“”", "‘’", "«»", "„“", "‚‘"].map((quotes): [string, string[], Split] => [
    `a mention in ${quotes}`,
    [`I write ${quotes[0]}[FINAL ANSWER]${quotes[1]} then. [FINAL ANSWER]Yes`],
    { open: `I write ${quotes[0]}[FINAL ANSWER]${quotes[1]} then. `, answer: "Yes" },
  ]),
  [
    "a bold mention in quotes, and one in the answer",
    ['"**[FINAL ANSWER]**" [FINAL ANSWER]`[FINAL ANSWER]` opens it'],
    { open: '"**[FINAL ANSWER]**" ', answer: "`[FINAL ANSWER]` opens it" },
  ],
  ["a quote that is not closed", ['"[FINAL ANSWER] yes"'], { open: '"', answer: ' yes"' }],
  [
    "a marker cut by a tool call",
    ["Almost done. [FINAL ANS", null, "WER]\nResult"],
    { open: "Almost done. ", answer: "Result" },
  ],
  [
    "a wrapped marker cut by two tool calls",
    ["Almost. **[FINAL ANSWER]", null, null, "**\nResult"],
    { open: "Almost. ", answer: "Result" },
  ],
  [
    "a begun marker that is none",
    ["Almost. [FINAL", null, " VERDICT] is open"],
    { open: "Almost. [FINAL VERDICT] is open", answer: "" },
  ],
  ["a begun marker at the end", ["a [FINAL ANSWER", null], { open: "a [FINAL ANSWER", answer: "" }],
  ["wrapping before a tool call", ["a **", null, "b"], { open: "a **b", answer: "" }],
];

describe("MarkerGate", () => {
  it.each(CASES)("splits %s", (_, pieces, expected) => {
    expect(split(pieces)).toEqual(expected);
  });

  it.each(CASES)("splits %s the same at every place it can be cut in two or three", (_, pieces, expected) => {
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] ?? "";
      for (let i = 0; i <= piece.length; i++) {
        for (let j = i; j <= piece.length; j += 3) {
          const cut = [piece.slice(0, i), piece.slice(i, j), piece.slice(j)];
          const all = pieces.toSpliced(at, 1, ...(pieces[at] === null ? [null] : cut));
          expect(split(all)).toEqual(expected);
        }
      }
    }
  });

  it("splits anything the same for any cut, well formed, and loses nothing but markers and breaks", () => {
    const bit = fc.oneof(
      fc.constantFrom("[FINAL ANSWER]", "[final_answer]", "[FINAL", " ANSWER]", "**", "*", "__", "_"),
      fc.constantFrom("## ", "#", "\n", "\r\n", '"', "`", "'", "„", "“", "”", "[", "]", " ", "😀"),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    const text = fc.array(bit, { maxLength: 12 }).map((bits) => bits.join(""));
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 });
    const marker = /\[final[ _]answer\]/gi;
    const unquoted = /(?<!["'`“‘«„‚][*_]{0,3})\[final[ _]answer\]/i;
    const bare = (said: string): string =>
      said
        .replaceAll(marker, "")
        .toWellFormed()
        .replaceAll(/[\r\n#*_ \t]/g, "");
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), sizes, (rounds, lengths) => {
        const whole = rounds.flatMap((round): Piece[] => [round, null]);
        const cut = rounds.flatMap((round): Piece[] => [...pieces(round, lengths), null]);
        const expected = split(whole);
        expect(split(cut)).toEqual(expected);
        const parts = pass(cut);
        expect(parts.every((part) => part.text.isWellFormed() && part.text !== "")).toBe(true);
        if (rounds.length > 1) return;
        expect(Object.values(expected).filter((said) => unquoted.test(said))).toEqual([]);
        // Where dropping a marker makes another, more than markers has to go.
        if (rounds.join("").replaceAll(marker, "").search(marker) !== -1) return;
        expect(bare(expected.open) + bare(expected.answer)).toBe(bare(rounds.join("")));
      }),
      { numRuns: 5_000 },
    );
  });

  it("holds nothing back that cannot become a marker", () => {
    const gate = new MarkerGate();
    expect(gate.push("See [1] and [the F")).toEqual([{ role: "open", text: "See [1] and [the F" }]);
    expect(gate.push(" so [")).toEqual([{ role: "open", text: " so " }]);
    expect(gate.push("2].")).toEqual([{ role: "open", text: "[2]." }]);
    expect(gate.opened).toBe(false);
  });

  it("goes on from where another stands, which stays as it is", () => {
    const gate = new MarkerGate();
    gate.push("a [FINAL");
    const next = new MarkerGate(gate.state);
    expect(next.push(" ANSWER]b")).toEqual([{ role: "answer", text: "b" }]);
    expect([gate.opened, next.opened]).toEqual([false, true]);
    expect(gate.push(" WORD]")).toEqual([{ role: "open", text: "[FINAL WORD]" }]);
  });

  it.each(["[", "[FINAL ANSWE", "[FINAL ANSWER]", '"[FINAL ANSWER]"', "*", "\n## ", "\n"])(
    "takes a megabyte of %j in small pieces, which only linear work allows",
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const gate = new MarkerGate();
      const parts = pieces(text, [4]).flatMap((piece) => gate.push(piece));
      const length = [...parts, ...gate.end()].reduce((sum, part) => sum + part.text.length, 0);
      expect(length).toBe(unit === "[FINAL ANSWER]" ? 0 : text.length);
    },
  );
});

function pieces(text: string, sizes: readonly number[]): string[] {
  const out: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    out.push(text.slice(at, at + size));
    at += size;
  }
  return out;
}
