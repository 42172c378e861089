import { freePort } from "@troupe/core/testing";
import { memoryEventLog, workflowEngineContract } from "@troupe/workflow/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openRestateEngine } from "./open-restate-engine.ts";
import { startRestate, type RestateServer } from "./testing/index.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await startRestate();
});
afterAll(() => server.stop());

let services = 0;

describe("the engine on Restate", () => {
  it.each(workflowEngineContract())("$name", async ({ run }) => {
    const events = memoryEventLog();
    // Storage of its own for each case: a service of its own.
    const service = `contract-${++services}`;
    const port = await freePort();
    const windows = { inactivityMs: 600, abortMs: 600 };
    const open = () => openRestateEngine({ ...server, events, service, port, ...windows });
    await expect(run({ open, longMs: 3_000 })).resolves.toBeUndefined();
  });
});
