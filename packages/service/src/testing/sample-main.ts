import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { defineTool, InputError, type Log } from "@troupe/core";
import { z } from "zod";

import { runMain, type Running } from "../adapters/run-main.ts";
import { processSettings } from "../config/process-settings.ts";
import { setting, toggle } from "../config/setting.ts";
import { startMcp } from "../mcp/start-mcp.ts";

// A process as the apps are, to start and stop in tests: `node sample-main.ts --does <what>`.
const schema = z.object({
  ...processSettings,
  does: setting(z.enum(["serve", "mcp", "refuse", "break", "stick", "crash", "reject"]).default("serve"), {
    flag: "does",
    env: "SAMPLE_DOES",
  }),
  stdio: setting(toggle.default(false), { flag: "stdio", isSwitch: true }),
  key: setting(z.string().min(8).optional(), { env: "SAMPLE_KEY", secret: true }),
});

async function start(config: z.output<typeof schema>, { log }: { readonly log: Log }): Promise<Running> {
  log.info("starting", { key: config.key ?? "" });
  if (config.does === "mcp") return startSampleMcp(config, log);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // It listens already: a process that only waited for its handles to close would stay.
  if (config.does === "refuse") {
    const cause = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
    throw new InputError("input.invalid", "Port 7 is taken.", { cause });
  }
  if (config.does === "break") throw new Error(`internals with ${config.key ?? ""}`);
  const crash = new Error(`internals with ${config.key ?? ""}`);
  if (config.does === "crash")
    setImmediate(() => {
      throw crash;
    });
  if (config.does === "reject") setImmediate(() => void Promise.reject(crash));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      if (config.does === "stick") throw new Error("a file could not be closed");
      server.close();
      process.stdout.write("closed\n");
    },
  };
}

function startSampleMcp(config: z.output<typeof schema>, log: Log): Promise<Running> {
  const definition = {
    name: "sample-mcp",
    version: "1.0.0",
    instructions: "Ask it who it trusts.",
    open: ({ trusted }: { readonly trusted: boolean }) =>
      Promise.resolve({
        tools: [
          defineTool({
            name: "trusts",
            description: "Whether the caller may name paths.",
            input: z.object({}),
            execute: () => Promise.resolve({ text: String(trusted) }),
          }),
        ],
        close: () => {
          process.stderr.write("closed\n");
          return Promise.resolve();
        },
      }),
  };
  return startMcp(definition, { ...config, auth: "off", legacy_sse: false, port: 0 }, { log });
}

await runMain({ name: "sample", schema, start, env: process.env, argv: process.argv.slice(2) });
