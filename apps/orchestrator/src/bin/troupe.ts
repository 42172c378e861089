#!/usr/bin/env node
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";

const home = resolve(process.env["TROUPE_HOME"] ?? ".troupe");
// Only where a home is already: asking for help leaves nothing behind.
if (process.env["NODE_COMPILE_CACHE"] === undefined && existsSync(home))
  enableCompileCache(join(home, "cache", "compile"));

// What is loaded from here on comes out of the cache.
const { main } = await import("./main.ts");
await main(home);
