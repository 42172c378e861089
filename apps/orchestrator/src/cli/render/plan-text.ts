import type { Plan } from "@troupe/stream";

import { harmless } from "./harmless.ts";

/** A plan in a few lines: what runs, on whom, after what. */
export function planText(plan: Plan): string {
  const width = Math.max(...plan.steps.map((step) => step.id.length), 0);
  const who = Math.max(...plan.steps.map((step) => (step.agent || "person").length), 0);
  const lines = plan.steps.map((step, index) => {
    const after = step.dependsOn.length === 0 ? "" : `  (after ${step.dependsOn.join(", ")})`;
    const first = firstLine(step.instruction);
    return `  ${index + 1}. ${step.id.padEnd(width)}  ${(step.agent || "person").padEnd(who)}  ${first}${after}`;
  });
  return harmless([`Plan: ${plan.name}`, ...lines].join("\n"));
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
