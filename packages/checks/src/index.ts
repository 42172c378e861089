export { answerCheck } from "./answer-check.ts";
export {
  findFigure,
  readFigure,
  type FigureTolerance,
  type FoundFigure,
  type WantedFigure,
} from "./find-figure.ts";
export { holdsVerbatim } from "./rules/quotes.ts";
