// Wall time of one journaled step on the embedded engine, beside one row put into such a table by hand:
// WAL and synchronous=FULL on both sides, a file of its own for every sample.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

const SPEC = { v: 1, name: "bench", steps: [], final: "passthrough" };
const TABLE = `CREATE TABLE journal (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL
) STRICT; CREATE UNIQUE INDEX journal_seq ON journal (run, seq)`;

const valueOf = (at) => ({ answer: "x".repeat(100), at });

/** Microseconds a step: so many runs at once of so many steps each, one after the other. */
export async function engineStep(openEmbeddedEngine, folder, { runs, steps }) {
  const engine = openEmbeddedEngine({ path: join(folder, `${crypto.randomUUID()}.db`) });
  let done = 0;
  await engine.register(async (ctx) => {
    for (let at = 0; at < steps; at++) {
      const settled = await ctx.next([ctx.step(`step-${at}`, async () => valueOf(at))]);
      if (settled.ok) done++;
    }
    return { v: 1, runId: ctx.runId, outcome: "completed" };
  });
  const ids = Array.from({ length: runs }, (_, at) => `run-${at}`);
  const started = performance.now();
  await Promise.all(ids.map((runId) => engine.start(SPEC, { objective: "bench" }, { runId })));
  await Promise.all(ids.map((runId) => engine.result(runId)));
  const took = performance.now() - started;
  await engine.close();
  if (done !== runs * steps) throw new Error(`${done} of ${runs * steps} steps`);
  return (took * 1_000) / done;
}

/** Microseconds a row: those of all runs in one transaction each time, the best that can be done by hand. */
export function bareInsert(folder, { runs, steps, together = runs > 1 }) {
  const db = new DatabaseSync(join(folder, `${crypto.randomUUID()}.db`));
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; ${TABLE}`);
  const insert = db.prepare("INSERT INTO journal (run, seq, name, value) VALUES (?, ?, ?, ?)");
  const started = performance.now();
  for (let at = 0; at < steps; at++) {
    if (together) db.exec("BEGIN IMMEDIATE");
    for (let run = 0; run < runs; run++)
      insert.run(run, at, `step-${at}`, JSON.stringify({ ok: true, value: valueOf(at) }));
    if (together) db.exec("COMMIT");
  }
  const took = performance.now() - started;
  db.close();
  return (took * 1_000) / (runs * steps);
}
