import type { DagStep } from "../../schema/spec.ts";

/** By step, the agent steps that neither come before it nor wait for it: those that may work at the same time. */
export function besidesOf(steps: readonly DagStep[]): ReadonlyMap<string, readonly string[]> {
  const before = new Map<string, ReadonlySet<string>>();
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ancestors = (id: string): ReadonlySet<string> => {
    const known = before.get(id);
    if (known !== undefined) return known;
    const needed = byId.get(id)?.dependsOn ?? [];
    const found = new Set(needed.flatMap((other) => [other, ...ancestors(other)]));
    before.set(id, found);
    return found;
  };
  const apart = (a: string, b: string): boolean => a !== b && !ancestors(a).has(b) && !ancestors(b).has(a);
  const agents = steps.filter((step) => step.kind === "agent").map((step) => step.id);
  return new Map(agents.map((id) => [id, agents.filter((other) => apart(id, other))]));
}
