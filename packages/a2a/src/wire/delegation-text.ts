import { allResults, boundResults, type Delegation } from "@troupe/core";

/**
 * A delegation in words, for an agent that cannot read the data part: the instruction first, then
 * what it belongs to, then each result it may build on, once and unescaped.
 */
export function delegationText(delegation: Delegation): string {
  const { instruction, objective, expectedOutput, earlier } = delegation;
  const blocks = [instruction];
  if (expectedOutput !== "") blocks.push(`Expected: ${expectedOutput}`);
  if (objective !== "" && objective !== instruction) blocks.push(`This is part of: ${objective}`);
  const asked = (earlier?.turns ?? []).map(({ turn, asked }) => `${turn}. ${asked}`);
  if (asked.length > 0) blocks.push(`Earlier in this conversation it was asked:\n${asked.join("\n")}`);
  for (const result of Object.values(boundResults(allResults(delegation)).results)) {
    const files = result.artifacts.map((artifact) => `\n${artifact.name}: ${artifact.url}`).join("");
    const { answerChars, answer } = result.abridged ?? {};
    const part =
      answerChars === undefined
        ? ""
        : `\n[The first ${result.answer.length} of ${answerChars} characters${answer === undefined ? "" : `; all of it: ${answer.url}`}]`;
    blocks.push(`[${result.stepId}: ${result.agent}, ${result.outcome}]\n${result.answer}${part}${files}`);
  }
  return blocks.join("\n\n");
}
