import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitSentences } from "./sentences.ts";

const split = (text: string): string[] =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe("splitSentences", () => {
  it("does not end a sentence at an abbreviation, an initial or a decimal point", () => {
    expect(split("Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today. They left.")).toEqual([
      "Dr. Smith met e.g. Mr. Lee at 3.5 p.m. today.",
      "They left.",
    ]);
    expect(split("See Fig. 3 and No. 12 by J. K. Berg. It cost 1.5 million.")).toHaveLength(2);
  });

  it.each([
    "Der Umsatz lag 2025 bei 12,4 Mio. Euro und damit ca. 9 % über dem Vorjahr.",
    "Die Bilanzsumme beträgt 8,2 Mrd. Euro zum 31. Dezember 2025.",
    "The loan of 2.1 Mio. EUR ends in 2031, that of 1.2 bn. Euro later.",
    "Sie ersetzt z. B. Anlage Nr. 4 in Passau, d.h. Teile wie Sägen, Pressen usw. Marke Eigenbau.",
    "Das Werk liefert i. d. R. Wände bzw. Dächer inkl. Montage, u. a. Treppen zzgl. Fracht.",
    "Im 3. Quartal zog das Büro von der Bahnhofstr. 12 in den 2. Stock (vgl. Abs. 4).",
    "a. Open the valve.",
  ])("keeps a sentence with abbreviations and ordinals whole: %s", (sentence) => {
    expect(split(`${sentence} Done it is.`)).toEqual([sentence, "Done it is."]);
  });

  it.each([
    ["Die Bilanzsumme beträgt 8,2 Mio.", "Der Rest ist Eigenkapital."],
    ["It costs EUR 4.2 bn.", "Revenue grows."],
    ["Geliefert werden Wände, Dächer usw.", "Wir montieren sie."],
    ["Das Büro liegt in der Bahnhofstr.", "Im Hof ist das Lager."],
    ["The beam is 12 m.", "Beams of oak are shorter."],
    ["We chose option a.", "The others cost more."],
    ["Sales fell to 12.", "The rest followed."],
    ["They left at 3 p.m.", "Rain fell."],
  ])("ends one at an abbreviation where the next word opens another: %s %s", (first, second) => {
    expect(split(`${first} ${second}`)).toEqual([first, second]);
  });

  it("ends one after a year, a quote, a bracket and in scripts without spaces", () => {
    expect(split("It began in 2024. The rest followed (see below.) Done.")).toEqual([
      "It began in 2024.",
      "The rest followed (see below.)",
      "Done.",
    ]);
    expect(split("これは文です。次の文です。")).toHaveLength(2);
    expect(split("本当？はい！「そうです。」終わり｡次")).toEqual([
      "本当？",
      "はい！",
      "「そうです。」",
      "終わり｡",
      "次",
    ]);
    expect(split("यह बजट है। यह पचास लाख है।")).toHaveLength(2);
  });

  it("keeps a list number with its item and ends at every line break", () => {
    expect(split("1. Open the valve.\n2. Close it\n\nThen wait.")).toEqual([
      "1. Open the valve.",
      "2. Close it",
      "Then wait.",
    ]);
  });

  it("reads a long run of full stops, as a leader of a table of contents has, in linear time", () => {
    expect(splitSentences(`Contents${".".repeat(300_000)}7`)).toHaveLength(1);
  });

  // At this length what takes quadratic time never ends, on any machine.
  it.each([
    [". ", 500_000],
    ["Ab. ", 250_000],
    ["z. B. ", 1],
    ["9 Mio. Der ", 90_911],
    [".", 1],
    ['."', 1],
    ["a.", 1],
    [" ", 0],
  ])("reads a million characters in linear time: %j", (piece, count) => {
    expect(splitSentences(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toHaveLength(count);
  });

  it("puts everything but white space into exactly one span, in order", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "A",
            "b.",
            " ",
            "\n",
            "3.",
            "!",
            "é",
            "😀",
            '."',
            "No.",
            "Mio.",
            " Der",
            " z. B.",
            " 31.",
            "。",
          ),
        ),
        (parts) => {
          const text = parts.join("");
          const spans = splitSentences(text);
          let last = 0;
          for (const { start, end } of spans) {
            expect(text.slice(last, start).trim()).toBe("");
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end).trim()).toHaveLength(end - start);
            last = end;
          }
          expect(text.slice(last).trim()).toBe("");
        },
      ),
    );
  });
});
