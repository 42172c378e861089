import type { StopReason } from "../ports/model.ts";
import { outcomeOf } from "../response/parse-response.ts";
import type { Said } from "../response/said.ts";
import { questionForm, type Ending } from "./ending.ts";
import type { Run } from "./run.ts";
import type { TextItem } from "./text-item.ts";

export const CUT_OFF = {
  code: "model.max-tokens",
  message: "The answer was cut off at the model's output limit.",
};
const UNSUCCESSFUL = {
  code: "agent.unsuccessful",
  message: "The agent says that what was asked did not succeed. Its answer says what happened.",
};

/**
 * The ending of a run whose model said this, however it said it; undefined when there is nothing to
 * show for it, neither text nor a question. Its items are settled by `checkAnswer`.
 */
export function endAsSaid(
  run: Run,
  said: Said,
  answer: readonly TextItem[],
  stop: StopReason,
): Ending | undefined {
  const listed = { citations: said.citationIds, charts: said.chartIds };
  const items = answer.filter(({ begun }) => begun);
  const outcome = outcomeOf(said);
  if (outcome === "input-required") {
    const question = said.userInput === "" ? said.content : said.userInput;
    const form = questionForm(run.options.config.title, question, said.inputFields);
    return { outcome, answer: items, listed, ask: { kind: "form", form } };
  }
  if (items.length === 0) return undefined;
  if (outcome === "failed") return { outcome, answer: items, listed, error: UNSUCCESSFUL };
  if (said.issues.length === 0) return { outcome, answer: items, listed };
  if (stop === "max-tokens") return { outcome, answer: items, listed, error: CUT_OFF };
  const message = `Parts of the answer could not be read: ${said.issues.join("; ")}.`;
  return { outcome, answer: items, listed, error: { code: "agent.bad-finish", message } };
}
