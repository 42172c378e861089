import type { Middleware } from "./middleware.ts";

/**
 * Asks a person before a tool runs that says it needs that, or that is among `names` (`*` stands for
 * every tool).
 */
export function approval(names: readonly string[]): Middleware {
  const all = names.includes("*");
  const asked = new Set(names);
  return {
    name: "approval",
    beforeTool({ tool }) {
      const needed = all || tool.needsApproval === true || asked.has(tool.definition.name);
      return needed ? "ask" : undefined;
    },
  };
}
