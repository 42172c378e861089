import { createLog } from "@troupe/service";

import { settings } from "../../server/settings.ts";
import { start } from "../../server/start.ts";

// The orchestrator as a process, to be killed: `node orchestrator-process.ts HOME PORT AGENT-URL...`.
const [home, port, ...agents] = process.argv.slice(2);
const log = createLog({ level: "error", name: "orchestrator" });
const running = await start(settings.parse({ home, port: Number(port), agents }), { log });
process.stdout.write(`${running.url}\n`);
