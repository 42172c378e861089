/**
 * Words that ask, join or say what the answer looks like and change no figure. Nothing that leaves rows
 * out, counts, orders, compares or sets a bound may be here: such a word counts as read only where a
 * rule did what it says.
 */
const ASK =
  "what show tell give list display draw make create prepare produce write provide report please want need like get " +
  "see look find know let query analyse analyze calculate compute summarise summarize describe present question answer";
const GRAMMAR =
  "a an the i we us our my me you your it its they their this these those that how is are was were be been am do does " +
  "did have has had can could would should will and or of in for from to at on with as into about there come go went made";
const SHAPE =
  "chart graph diagram table slide deck picture plot presentation visual bar pie column sql database file main company business";
const GERMAN = "der die das und von im fur mit den dem wie ist war zeige";

const FUNCTION_WORDS: ReadonlySet<string> = new Set(`${ASK} ${GRAMMAR} ${SHAPE} ${GERMAN}`.split(" "));

/** Whether a word, in lower case as written or in the singular, changes no figure. */
export function isFunctionWord(fold: string, word: string): boolean {
  return FUNCTION_WORDS.has(fold) || FUNCTION_WORDS.has(word);
}
