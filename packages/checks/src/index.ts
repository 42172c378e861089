export { answerCheck } from "./answer-check.ts";
export { holdsVerbatim } from "./rules/quotes.ts";
