import type { Citation, ResultTable } from "@troupe/stream";

import { short } from "../render/figures.ts";
import { numbersOf, prefixesOf, sentencesOf } from "./words.ts";

const MAX_CHARS = 160;

/** The sentence of a passage, or the row of a table, that is nearest to a claim, in at most 160 characters. */
export function closestText(one: Citation | ResultTable, sentence: string): string {
  const [wanted, numbers] = [[...prefixesOf(sentence)], numbersOf(sentence)];
  let best = "";
  let most = 0;
  for (const text of "chunkId" in one ? sentencesOf(one.passage ?? one.quote) : rowsOf(one, sentence)) {
    const [words, known] = [prefixesOf(text), numbersOf(text)];
    // A number of the claim may be what is wrong with it.
    const shared =
      2 * wanted.filter((word) => words.has(word)).length +
      numbers.filter((number) => known.includes(number)).length;
    if (shared <= most) continue;
    best = text;
    most = shared;
  }
  return short(best, MAX_CHARS);
}

/** Rows without the columns that were computed for the comparison; changes and shares stay beside a percentage. */
function rowsOf({ columns, rows }: ResultTable, sentence: string): readonly string[] {
  const left = sentence.includes("%") ? /^(?:rows$|average )/ : /^(?:rows$|average |percent )/;
  return rows.map((row) =>
    columns
      .flatMap((name, at) => {
        const cell = row[at] ?? null;
        if (cell === null || left.test(name)) return [];
        return [typeof cell === "string" ? cell : `${name} ${cell}`];
      })
      .join(", "),
  );
}
