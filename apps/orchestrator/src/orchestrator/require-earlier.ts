import type { Json } from "@troupe/stream";
import { runInputSchema, type DagSpec } from "@troupe/workflow";

import { invalid } from "./invalid.ts";

/**
 * Throws an `InputError` where a plan in the place of another builds on more of the conversation than its run
 * was begun with: what that is stands in the run's input.
 */
export function requireEarlier(spec: DagSpec, input: Json | undefined): void {
  const { earlier } = runInputSchema.safeParse(input).data ?? {};
  const known = new Set(Object.keys(earlier?.results ?? {}));
  const missing = spec.steps.flatMap(({ id, earlier: names = [] }) =>
    names
      .filter((name) => !known.has(name))
      .map((name) => `Step "${id}" builds on "${name}", which the plan that was asked about does not.`),
  );
  if (missing.length > 0) throw invalid(missing);
}
