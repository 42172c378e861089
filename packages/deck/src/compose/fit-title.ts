import { RULES } from "../spec/limits.ts";
import { TITLE_BOXES, TITLE_SIZES } from "../layout/grid.ts";
import { countLines } from "../text/measure.ts";
import { tighten } from "../text/tighten.ts";
import { countWords } from "../text/words.ts";

/** Whatever layout it lands on, in inches. */
const NARROWEST = Math.min(...Object.values(TITLE_BOXES).map((box) => box.w)) * 0.985;
const MAX_TITLE_WORDS = 16;
/** Room for ` (10/12)` after the title of a slide that continues. */
const SUFFIX = " (10/12)";

/** A title that takes at most two lines at the smallest title size, shortened where it must be. */
export function fitTitle(title: string): string {
  if (title === "") return "";
  const size = TITLE_SIZES.at(-1) ?? RULES.minFontPt;
  const fits = (text: string): boolean =>
    countLines([{ text: text + SUFFIX, bold: true }], size, NARROWEST * 72) <= RULES.maxTitleLines;
  for (let words = Math.min(MAX_TITLE_WORDS, countWords(title)); words >= 1; words--) {
    const tried = tighten(title, words);
    if (fits(tried)) return tried;
  }
  let chars = Array.from(title).slice(0, 120);
  while (chars.length > 1 && !fits(`${chars.join("")}…`)) chars = chars.slice(0, -4);
  return `${chars.join("")}…`;
}
