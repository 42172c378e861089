/** A process of its own that serves the sample tools over stdio. */
import { randomUUID } from "node:crypto";

import { silentLog } from "@troupe/core";
import { memoryArtifactStore } from "@troupe/core/testing";

import { createMcpServer, serveStdio } from "../server/index.ts";
import { sampleTools } from "./sample-tools.ts";

const artifacts = memoryArtifactStore();
const { tools } = sampleTools(artifacts, () => process.exit(3));
const server = createMcpServer({
  name: "sample-mcp",
  version: "1.0.0",
  tools,
  artifacts,
  log: silentLog,
  newId: randomUUID,
});
const over = serveStdio(server);
process.stdout.write("a stray line that must not reach the protocol\n");
await over;
process.exit(0);
