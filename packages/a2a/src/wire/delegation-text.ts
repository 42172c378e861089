import type { Delegation } from "@troupe/core";

/**
 * A delegation in words, for an agent that cannot read the data part: the instruction first, then
 * what it belongs to, then each result it may build on, once and unescaped.
 */
export function delegationText(delegation: Delegation): string {
  const { instruction, objective, expectedOutput, results } = delegation;
  const blocks = [instruction];
  if (expectedOutput !== "") blocks.push(`Expected: ${expectedOutput}`);
  if (objective !== "" && objective !== instruction) blocks.push(`This is part of: ${objective}`);
  for (const result of Object.values(results)) {
    const files = result.artifacts.map((artifact) => `\n${artifact.name}: ${artifact.url}`).join("");
    blocks.push(`[${result.stepId}: ${result.agent}, ${result.outcome}]\n${result.answer}${files}`);
  }
  return blocks.join("\n\n");
}
