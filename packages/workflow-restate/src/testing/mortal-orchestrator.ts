import { memoryEventLog, mortalDriver } from "@troupe/workflow/testing";

import { openRestateEngine } from "../open-restate-engine.ts";

// A process to kill: `node mortal-orchestrator.ts INGRESS ADMIN PORT LOG hang|end`. It notes every step it really
// does, says `in last step` once only the last is left, and prints the answer when the run has ended.
const [ingressUrl = "", adminUrl = "", port = "", log = "", mode = ""] = process.argv.slice(2);

const engine = await openRestateEngine({
  ingressUrl,
  adminUrl,
  events: memoryEventLog(() => Date.now()),
  service: "mortal",
  port: Number(port),
});
await engine.register(mortalDriver({ log, mode }));
const spec = { v: 1, name: "kill", steps: [], final: "passthrough" } as const;
await engine.start(spec, { objective: "survive" }, { runId: "run" });
process.stdout.write(`${(await engine.result("run")).response.content}\n`);
await engine.close();
