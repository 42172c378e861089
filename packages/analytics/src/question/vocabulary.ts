/**
 * Words of a question that ask, join or describe the answer: a value of that name (`NO`, `Other`) is meant only
 * as it is written in the data. Whether such a word was read is another matter: see `unmatched-terms.ts`.
 */
const PLAIN =
  "a about above according across actual actually add after all along also altogether always am an and analyse analysis analyze any " +
  "anything are area around as ask at available away bar be because been before began begin being below best better " +
  "between bottom break breakdown bring business but buy buying bought by calculate can case change chart clear column " +
  "combined compare compared comparing comparison complete contribution could create curve data database day deck " +
  "describe detail develop developed development diagram did different difference display distribution do document " +
  "does doing done draw during each earn earned either end ever every example exact exactly far figure file find first " +
  "follow following for form from full get give given go going good got graph great grew group grouped grow growing " +
  "grown growth had half has have having help here highest history how i if image important in include included " +
  "including increase information instead into is it item its just kind know large larger last later latest lead leading " +
  "least less let like line list look looking lot made main make many may me mean message might more most much my name " +
  "need needed new next no not now number of off often on once one only or order other our out over overall overview " +
  "own part past pdf per percent percentage performance period picture pie plan please plot point powerpoint pptx " +
  "prepare present presentation previous produce provide purpose put query question quick rank ranked ranking " +
  "rather ratio really report request respectively result row run same say see sell selling sent set share short " +
  "should show shown side single situation slide small so sold some split spend spending spent sql start statement " +
  "statistic still strong stronger strongest weak weaker weakest sum summarise summarize summary table take team tell than that the their them then " +
  "there these they thing this those through till time to today together top total trend try two under until up us use " +
  "used using usually value various versus very view visual vs want wanted was way we well went were what when where " +
  "whether which while who whole whom whose why will with within work would write year yes yet you your " +
  "quarter month week quarterly monthly weekly daily yearly annual annually average avg median minimum maximum min max " +
  "count lowest smallest biggest largest worst fewest kpi metric sale revenue turnover amount volume unit eur euro usd " +
  "thousand million billion three four five six seven eight nine ten twenty went rise rose risen fall fell drop decline " +
  "decrease buyer seller typical maximal minimal everything something someone anybody company " +
  "der die das und von im in fur pro nach mit den dem wie viel viele war ist alle zeige";

const KNOWN: ReadonlySet<string> = new Set(PLAIN.split(" "));

/** Whether a word, in lower case and singular or as written, is part of how people ask. */
export function isPlainWord(fold: string, word: string): boolean {
  return KNOWN.has(fold) || KNOWN.has(word);
}
