import { parseArgs } from "node:util";

import { grpcBinding } from "../../grpc/index.ts";
import { serveAgent } from "../../server/index.ts";
import { tckAgent, tckTaskStore } from "./tck-agent.ts";

// The scenario agent of the official kit as a process, over all bindings; see docs/check-conformance.md.

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9999" },
    "grpc-port": { type: "string", default: "50051" },
    "webhook-port": { type: "string", default: "9998" },
  },
});
const served = await serveAgent({
  agent: tckAgent(),
  port: Number(values.port),
  store: tckTaskStore(),
  // The kit receives notifications on this machine.
  push: { allow: [`http://localhost:${values["webhook-port"]}`] },
  grpc: grpcBinding({ port: Number(values["grpc-port"]) }),
});
process.stdout.write(`${served.url} and gRPC at ${served.grpcUrl ?? ""}\n`);
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => void served.close());
