#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { join, resolve } from "node:path";

import { noSqlite } from "@troupe/core/sqlite";

// What follows cannot even be loaded by a Node that is too old; this much any can.
if (!nodeModule.isBuiltin("node:sqlite")) {
  process.stderr.write(`troupe: ${noSqlite().message}\n`);
  process.exit(1);
}

const home = resolve(process.env["TROUPE_HOME"] ?? ".troupe");
// Only where a home is already: asking for help leaves nothing behind.
if (process.env["NODE_COMPILE_CACHE"] === undefined && existsSync(home))
  nodeModule.enableCompileCache(join(home, "cache", "compile"));

// What is loaded from here on comes out of the cache.
const { main } = await import("./main.ts");
await main(home);
