import { foldedWords } from "../text/fold.ts";
import { stemOf } from "../text/names.ts";
import { valueOf } from "../text/numbers.ts";
import { emitPairs, emitPercentOf, NO_UNIT, WITHOUT_SUM, type Emit } from "./arithmetic.ts";
import { mayCombine, valueFor, type PassageContext } from "./passage-context.ts";

const MAX_THINGS = 12;
/** Letters of a noun that tell it from others. */
const MIN_LETTERS = 4;

/**
 * Arithmetic between figures of a passage that count what the sentence speaks of, and those that it states: `18 % of the
 * visitors` of `238,400 visitors`, `77 full-time jobs in all shops` of `14 shops` and `5.5 full-time jobs`.
 */
export function fillNamedThings(context: PassageContext, emit: Emit): void {
  const { figure, figures, passage, stated, claim } = context;
  const things = figures.filter(({ end, column }) => {
    if (column !== undefined) return false;
    const noun = /^[\s-]{0,2}(\p{L}{4,40})/u.exec(passage.source.slice(end, end + 44))?.[1] ?? "";
    const stem = stemOf(foldedWords(noun));
    return stem.length >= MIN_LETTERS && claim.words.includes(` ${stem}`);
  });
  const known = [...new Set([...things, ...stated])].slice(0, MAX_THINGS);
  for (const [index, a] of known.entries())
    for (const b of known.slice(index + 1)) {
      if (stated.has(a) && stated.has(b)) continue;
      const [x, y] = [valueFor(figure, a), valueFor(figure, b)];
      // Two time limits do not add up to a longer one.
      const without = a.unit?.dimension === "time" ? WITHOUT_SUM : [];
      if (mayCombine(a, b)) emitPairs(emit, x, y, a.unit?.dimension ?? b.unit?.dimension ?? NO_UNIT, without);
      if (a.unit?.dimension === "percent" || b.unit?.dimension === "percent") {
        const [percent, amount] = a.unit?.dimension === "percent" ? [a, y] : [b, x];
        emitPercentOf(emit, amount, valueOf(percent), NO_UNIT);
      } else if (a.unit === undefined || b.unit === undefined) {
        const dimension = a.unit?.dimension ?? b.unit?.dimension;
        const [amount, count] = a.unit === undefined ? [y, x] : [x, y];
        emit(x * y, "product", dimension);
        if (count !== 0) emit(amount / count, "average", dimension);
      }
    }
}
