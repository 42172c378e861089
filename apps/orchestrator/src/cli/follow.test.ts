import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { serveAgent } from "@troupe/a2a/server";
import { createAgent, silentLog, systemClock } from "@troupe/core";
import { gate, scriptedModel } from "@troupe/core/testing";
import { newId } from "@troupe/service";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { freePorts } from "../supervisor/free-port.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import type { CliContext } from "./context.ts";
import { follow, type KnownRun } from "./follow.ts";

afterEach(cleanUp);

const form = { title: "Who?", fields: [{ field_name: "audience" }] };
const steps = [{ id: "who", kind: "human" as const, instruction: "Who?", form }];
const request = { text: "x", metadata: { workflow: { version: 1, name: "Ask", steps } } };

/** A command of a home whose orchestrator is started by `restart`, on another port than `url`. */
function command() {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const said: string[] = [];
  const context: CliContext = {
    out: () => undefined,
    err: (text) => void said.push(text),
    color: false,
    env: {},
    cwd: home,
    home,
    appsRoot: home,
    clock: systemClock,
    newId,
    log: silentLog,
    interrupted: AbortSignal.timeout(30_000),
  };
  const known: KnownRun = { runId: "", next: 0 };
  const progress = { event: () => undefined, end: () => undefined };
  const options = { out: home, json: false, inputs: new Map<string, string>(), progress };
  const restart = async (): Promise<void> => {
    const running = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
    onTestFinished(() => running.close());
  };
  const ask = (url: string): Promise<number> =>
    follow(context, { url, release: () => Promise.resolve() }, request, options, known);
  return { ask, restart, said, known };
}

it("asks again when the orchestrator is back whose first request found nobody there", async () => {
  const { ask, restart, said, known } = command();
  await restart();
  const [nobody] = await freePorts(1);
  expect(await ask(`http://127.0.0.1:${nobody}`)).toBe(4);
  expect(said[0]).toContain("asking it again");
  expect(said.at(-1)).toContain(`troupe answer ${known.runId} who`);
});

it("asks again what the orchestrator had taken but not begun when it died", async () => {
  const { ask, restart, known } = command();
  const asked = gate();
  const agent = createAgent(
    { agent_type: "slow", name: "slow", title: "Slow", description: "Slow.", system_prompt: "Wait." },
    { model: scriptedModel([{ gate: new Promise(() => undefined), text: "never" }]) },
  );
  const served = await serveAgent({
    agent: {
      ...agent,
      run(...args: Parameters<typeof agent.run>) {
        asked.open();
        return agent.run(...args);
      },
    },
    handOver: true,
  });
  const code = ask(served.url);
  await asked.opened;
  await restart();
  await served.close();
  expect(await code).toBe(4);
  expect(known.runId).not.toBe("");
});
