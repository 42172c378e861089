import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectAgent } from "@troupe/a2a/client";
import { serveAgent } from "@troupe/a2a/server";
import { createAgent, silentLog, systemClock } from "@troupe/core";
import { gate, scriptedModel } from "@troupe/core/testing";
import { lockHome, newId, readOwner } from "@troupe/service";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { readRuns } from "../orchestrator/state.ts";
import { settings } from "./settings.ts";
import { start } from "./start.ts";

const tools = { log: silentLog };
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-start-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const config = (given: object = {}) => settings.parse({ home, port: 0, agents: [], ...given });

it("gives its home back when its port is taken", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  await expect(start(config({ port }), tools)).rejects.toThrow(`port ${port}`);
  lockHome(home).release();
  const running = await start(config(), tools);
  const owner = readOwner(home);
  expect(owner?.url).toBe(running.url);
  const lives = await (await fetch(`${running.url}/livez`)).json();
  expect(lives).toEqual({ ok: true, instance: owner?.instance });
  await running.close();
  expect(readOwner(home)).toBeUndefined();
});

it(
  "lets go of a run when it is stopped, and goes on with it when it is started again",
  { timeout: 60_000 },
  async () => {
    const asked = gate();
    const model = scriptedModel([{ gate: new Promise(() => undefined), text: "never" }]);
    const agent = createAgent(
      { agent_type: "slow", name: "slow", title: "Slow", description: "Slow.", system_prompt: "Wait." },
      { model },
    );
    const watched = {
      ...agent,
      run: (...args: Parameters<typeof agent.run>) => {
        asked.open();
        return agent.run(...args);
      },
    };
    const served = await serveAgent({ agent: watched });
    onTestFinished(() => served.close());

    const first = await start(config({ agents: [served.url] }), tools);
    const signal = AbortSignal.timeout(15_000);
    const remote = await connectAgent(first.url, { clock: systemClock, newId, signal });
    const workflow = { version: 1, name: "One", steps: [{ agent: "slow", instruction: "Wait." }] };
    const { taskId } = await remote.send({ text: "x", metadata: { workflow } }, { signal });
    await asked.opened;
    await first.close();
    const stored = () => readRuns({ home, clock: systemClock, log: silentLog });
    expect((await stored()).map(({ runId, status }) => [runId, status])).toEqual([[taskId, "running"]]);

    const second = await start(config({ agents: [served.url] }), tools);
    await served.close();
    // It bears with an agent that is away for a while.
    await expect.poll(async () => (await stored())[0]?.status, { timeout: 45_000 }).toBe("failed");
    await second.close();
  },
);
