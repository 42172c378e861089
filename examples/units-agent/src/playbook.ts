import { finishCall, lastUserText, toolResults, type Playbook } from "@troupe/playbook";

/** What it does without a model: the first figure in the text, converted. It understands nothing. */
export const playbook: Playbook = (request) => {
  const result = toolResults(request, "convert_temperature").at(-1);
  if (result !== undefined)
    return { calls: [finishCall({ content: result.text, complete: !result.isError })] };
  const [, figure, unit] = /(-?\d+(?:\.\d+)?)\s*°?\s*([CF])\b/i.exec(lastUserText(request)) ?? [];
  if (figure === undefined || unit === undefined) {
    return {
      calls: [finishCall({ content: "There is no temperature in this, such as 20 °C.", complete: false })],
    };
  }
  const from = unit.toUpperCase() === "C" ? "celsius" : "fahrenheit";
  return {
    say: "Converting.",
    calls: [{ name: "convert_temperature", arguments: { value: Number(figure), from } }],
  };
};
