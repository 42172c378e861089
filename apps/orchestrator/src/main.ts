import { runMain } from "@troupe/service";

import { settings } from "./server/settings.ts";
import { start } from "./server/start.ts";

await runMain({
  name: "orchestrator",
  schema: settings,
  start,
  env: process.env,
  argv: process.argv.slice(2),
});
