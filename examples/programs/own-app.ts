// The folder of a new agent, as `troupe up` would run it: settings, start, card, a call.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { silentLog } from "@troupe/core";

import { settings, start } from "../units-agent/src/index.ts";

const home = await mkdtemp(join(tmpdir(), "troupe-example-"));
const running = await start(settings.parse({ home, port: 0 }), { log: silentLog });
try {
  const remote = await connectAgent(running.url);
  assert.equal(remote.profile.name, "units-agent");
  const request = { text: "How much is 20 °C in Fahrenheit?" };
  for await (const event of remote.stream(request, { signal: AbortSignal.timeout(10_000) })) {
    process.stdout.write(`${event.type}\n`);
    if (event.type === "finish") assert.equal(event.response.content, "20 °C is 68.0 °F.");
  }
} finally {
  await running.close();
  await rm(home, { recursive: true, force: true });
}
