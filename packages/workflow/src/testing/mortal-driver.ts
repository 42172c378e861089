import { appendFileSync } from "node:fs";

import type { DagDriver } from "../engine/port.ts";
import { outcomeOf } from "./contract/harness.ts";

/**
 * Of a process that is killed in its last step: notes every step it really does in the file `log`. With the
 * mode `hang` it says `in last step` once only the last is left, and stays in it; with `end` it comes to its end.
 */
export function mortalDriver({ log, mode }: { readonly log: string; readonly mode: string }): DagDriver {
  return async (ctx) => {
    const seen: string[] = [];
    for (const id of ["a", "b", "c"]) {
      const settled = await ctx.next([
        ctx.step(id, async () => {
          appendFileSync(log, `${id}\n`);
          return `${id} by ${mode}`;
        }),
      ]);
      seen.push(settled.ok && typeof settled.value === "string" ? settled.value : "?");
    }
    const last = await ctx.next([
      ctx.step("last", async () => {
        if (mode === "end") return "done";
        process.stdout.write("in last step\n");
        return new Promise<never>(() => undefined);
      }),
    ]);
    return outcomeOf(ctx, [...seen, last.ok && typeof last.value === "string" ? last.value : "?"].join(", "));
  };
}
