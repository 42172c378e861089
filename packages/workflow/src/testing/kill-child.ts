import { openEmbeddedEngine } from "../embedded/engine.ts";
import { mortalDriver } from "./mortal-driver.ts";

// A process to kill: `node kill-child.ts JOURNAL LOG hang|end`. It notes every step it really does,
// says `in last step` once only the last is left, and prints the answer when the run has ended.
const [journal = "", log = "", mode = ""] = process.argv.slice(2);

const engine = openEmbeddedEngine({ path: journal });
// Keeps the process alive while the last step hangs: a promise alone does not.
const alive = setInterval(() => undefined, 60_000);
await engine.register(mortalDriver({ log, mode }));
const spec = { v: 1, name: "kill", steps: [], final: "passthrough" } as const;
await engine.start(spec, { objective: "survive" }, { runId: "run" });
process.stdout.write(`${(await engine.result("run")).response.content}\n`);
clearInterval(alive);
await engine.close();
