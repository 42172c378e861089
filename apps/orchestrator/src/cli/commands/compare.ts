import { resolve } from "node:path";

import { compareTraces } from "@troupe/a2a/capture";

import { readTrace } from "../capture/read-trace.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { comparisonText } from "../render/comparison-text.ts";
import { harmless } from "../render/harmless.ts";

/** Prints two captures, or two traces that were printed as JSON, side by side. */
export async function compare(
  context: CliContext,
  options: { readonly a: string; readonly b: string; readonly json: boolean },
): Promise<number> {
  const names = [options.a, options.b] as const;
  const a = await readTrace(resolve(context.cwd, options.a), options.a);
  const b = await readTrace(resolve(context.cwd, options.b), options.b);
  const comparison = compareTraces(a.trace, b.trace);
  context.out(options.json ? `${JSON.stringify(comparison)}\n` : comparisonText(comparison, names));
  const problems = [...a.problems, ...b.problems];
  for (const problem of problems) context.err(`${harmless(problem)}\n`);
  return problems.length === 0 ? EXIT.completed : EXIT.partial;
}
