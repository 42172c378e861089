import { runMain } from "@troupe/service";

import { settings, start } from "./start.ts";

await runMain({ name: "rag-mcp", schema: settings, start, env: process.env, argv: process.argv.slice(2) });
