import { appendFileSync } from "node:fs";

import type { DagDriver } from "../engine/port.ts";
import { openEmbeddedEngine } from "../embedded/engine.ts";
import { outcomeOf } from "./contract/harness.ts";

// A process to kill: `node kill-child.ts JOURNAL LOG hang|end`. It notes every step it really does,
// says `in last step` once only the last is left, and prints the answer when the run has ended.
const [journal = "", log = "", mode = ""] = process.argv.slice(2);

const driver: DagDriver = async (ctx) => {
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

const engine = openEmbeddedEngine({ path: journal });
// Keeps the process alive while the last step hangs: a promise alone does not.
const alive = setInterval(() => undefined, 60_000);
await engine.register(driver);
const spec = { v: 1, name: "kill", steps: [], final: "passthrough" } as const;
await engine.start(spec, { objective: "survive" }, { runId: "run" });
process.stdout.write(`${(await engine.result("run")).response.content}\n`);
clearInterval(alive);
await engine.close();
