import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createMemoryTaskStore } from "@troupe/a2a";
import { serveAgent } from "@troupe/a2a/server";
import { answering, scriptedAgent } from "@troupe/a2a/testing";
import { createAgent, silentLog, StoreError, systemClock } from "@troupe/core";
import { gate, scriptedModel, serveHttp } from "@troupe/core/testing";
import type { Clock } from "@troupe/stream";
import type { RunView } from "@troupe/workflow";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { freePorts } from "../supervisor/free-port.ts";
import { testContext } from "../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { getJson } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";
import { follow, type KnownRun } from "./follow.ts";
import { shownEvents } from "./shown-events.ts";

afterEach(cleanUp);

const form = {
  title: "Who?",
  fields: [{ field_name: "audience", field_type: "select" as const, field_values: ["Board", "Staff"] }],
};
const steps = [{ id: "who", kind: "human" as const, instruction: "Who?", form }];
const request = { text: "x", metadata: { workflow: { version: 1, name: "Ask", steps } } };

/** A command of a home whose orchestrator is started by `restart`, on another port than `url`. */
function command({
  inputs = {},
  ...own
}: Partial<CliContext> & { inputs?: { [name: string]: string } } = {}) {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const said: string[] = [];
  const context = testContext(home, {
    err: (text) => void said.push(text),
    interrupted: AbortSignal.timeout(30_000),
    ...own,
  });
  const known: KnownRun = { runId: "", next: 0, shown: shownEvents() };
  const progress = { event: () => undefined, end: () => undefined };
  const options = { out: home, json: false, inputs: new Map(Object.entries(inputs)), progress };
  const restart = async (more: object = {}): Promise<string> => {
    const running = await start(settings.parse({ home, port: 0, agents: [], ...more }), { log: silentLog });
    onTestFinished(() => running.close());
    return running.url;
  };
  const ask = (url: string): Promise<number> =>
    follow(context, { url, release: () => Promise.resolve() }, request, options, known);
  return { ask, restart, said, known, home };
}

it("asks again when the orchestrator is back whose first request found nobody there", async () => {
  const { ask, restart, said, known } = command();
  await restart();
  const [nobody] = await freePorts(1);
  expect(await ask(`http://127.0.0.1:${nobody}`)).toBe(4);
  expect(said[0]).toContain("asking it again");
  expect(said.at(-1)).toContain(`troupe answer ${known.runId} who`);
});

it("gives up a run that it cannot join within 30 s, with spaced attempts, and says how to go on", async () => {
  let skipped = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + skipped,
    sleep: (ms) => {
      skipped += ms;
      return Promise.resolve();
    },
  };
  let attempts = 0;
  const alive = await serveHttp((incoming, response) => {
    if (incoming.url === "/livez") response.end('{"instance":"one"}');
    else {
      attempts++;
      incoming.socket.destroy();
    }
  });
  onTestFinished(alive.close);
  const { ask, said, known, home } = command({ clock });
  mkdirSync(join(home, "run"));
  writeFileSync(
    join(home, "run", "owner.json"),
    JSON.stringify({ pid: 1, url: alive.url, instance: "one", since: 0 }),
  );
  known.runId = "run-1";
  await expect(ask(alive.url)).rejects.toMatchObject({
    code: "agent.unreachable",
    message: expect.stringMatching(/The run is kept.* troupe watch run-1; .* troupe resume run-1$/),
  });
  expect(said).toEqual(["The orchestrator is gone; joining the run again ...\n"]);
  expect(skipped).toBeGreaterThanOrEqual(29_000);
  expect(attempts).toBeLessThan(100);
});

it("says that a run is interrupted whose end cannot be stored, how far it is and what resumes it", async () => {
  const memory = createMemoryTaskStore({ clock: systemClock });
  const full = (): Promise<never> => Promise.reject(new StoreError("store.full", "The disk is full."));
  let skipped = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + skipped,
    sleep: (ms) => {
      skipped += ms;
      return setImmediate();
    },
  };
  const step = { id: "facts", agent: "rag-agent", kind: "agent", state: "in_progress" };
  const served = await serveAgent({
    agent: scriptedAgent(() => answering(["never stored"])),
    store: { ...memory, save: full },
    clock,
    routes: (app) =>
      app.get("/api/runs/:id", (request, response) => {
        const reason = "The run is interrupted, not over: the disk is full.";
        response.json({
          runId: request.params.id,
          status: "interrupted",
          reason,
          steps: [step],
          requests: [],
        });
      }),
  });
  onTestFinished(() => served.close());
  const { ask, said, known } = command();
  expect(await ask(served.url)).toBe(1);
  expect(said.join("")).toContain(
    "The run is interrupted, not over: the disk is full.\n  facts (rag-agent): in_progress\n",
  );
  expect(said.at(-1)).toBe(`Go on with it: troupe resume ${known.runId}\n`);
});

it("talks to the local address of an orchestrator whose public one does not answer", async () => {
  const [nobody] = await freePorts(1);
  const { ask, restart, said } = command({ inputs: { audience: "Board" } });
  const url = await restart({ public_url: `http://127.0.0.1:${nobody}/troupe` });
  expect(await ask(url)).toBe(0);
  expect(said.join("")).not.toContain("gone");
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

it("leaves a run waiting that the person is asked by and leaves, and says how to go on", async () => {
  const interrupted = new AbortController();
  const ask = (): Promise<undefined> => {
    interrupted.abort();
    return Promise.resolve(undefined);
  };
  const { ask: follows, restart, said, known } = command({ ask, interrupted: interrupted.signal });
  const url = await restart();
  expect(await follows(url)).toBe(130);
  expect(said.join("")).toContain(
    `waits for a person: Who?\n  audience (Board, Staff)\nAnswer it or end it with\n  troupe answer ${known.runId}`,
  );
  const run = (await getJson(`${url}/api/runs/${known.runId}`)) as RunView;
  expect(run.status).toBe("input-required");
});

it("names what was given and never asked for, once the run is over", async () => {
  const { ask, restart, said } = command({ inputs: { audience: "Board", nosuch: "1" } });
  expect(await ask(await restart())).toBe(0);
  expect(said.at(-1)).toBe("Not asked for, so not used: --input nosuch.\n");
});

it("sends nothing of a value that does not fit, and says that the run waits", async () => {
  const { ask, restart, said, known } = command({ inputs: { audience: "Aliens" } });
  const url = await restart();
  expect(await ask(url)).toBe(2);
  expect(said.join("")).toContain('"Aliens" is not one of Board, Staff.\n');
  expect(said.join("")).toContain(`troupe answer ${known.runId} who --input audience=...`);
});
