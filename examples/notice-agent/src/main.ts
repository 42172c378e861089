import { runMain } from "@troupe/service";

import { settings, start } from "./start.ts";

await runMain({
  name: "notice-agent",
  schema: settings,
  start,
  env: process.env,
  argv: process.argv.slice(2),
});
