import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { answering } from "@troupe/a2a/testing";
import { silentLog } from "@troupe/core";
import { afterEach, expect, it, onTestFinished } from "vitest";

import { settings } from "../../server/settings.ts";
import { start } from "../../server/start.ts";
import { smallOrchestrator } from "../../testing/small-orchestrator.ts";
import { testContext } from "../../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../../testing/troupe.ts";
import { recordServers } from "../server-record.ts";
import { shownEvents } from "../shown-events.ts";
import { run } from "./run.ts";

afterEach(cleanUp);

it("renders the answer at a terminal, wrapped at words, and leaves it as it is in a pipe", async () => {
  const answer = "## Level\n\n**The river** stands at 2.4 m, which is 12 cm above the mean of the year.";
  const { troupe, workflow } = await smallOrchestrator({ river: () => answering([answer]) });
  const args = ["run", "--quiet", "--workflow", workflow([{ agent: "river", instruction: "How high?" }])];
  const screen = () => ({ columns: 40, color: false });
  expect((await troupe(args, { screen })).stdout).toBe(
    "Level\n\nThe river stands at 2.4 m, which is 12\ncm above the mean of the year.\n",
  );
  expect((await troupe(args)).stdout).toBe(`${answer}\n`);
});

it("says of an agent nobody knows that it came after the servers, when it did", async () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const running = await start(settings.parse({ home, port: 0, agents: [] }), { log: silentLog });
  onTestFinished(() => running.close());
  recordServers(home, running.url, [{ name: "orchestrator", kind: "orchestrator", url: running.url }]);
  const app = join(folder, "apps", "units-agent");
  mkdirSync(app, { recursive: true });
  const troupe = { kind: "agent", port: 4001 };
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "units-agent", troupe }));
  const steps = [{ id: "one", agent: "units-agent", instruction: "Convert 1 m." }];
  writeFileSync(join(folder, "own.json"), JSON.stringify({ version: 1, name: "Own", steps }));
  let said = "";
  const context = testContext(home, {
    err: (text) => void (said += text),
    cwd: folder,
    appsRoot: join(folder, "apps"),
    interrupted: AbortSignal.timeout(30_000),
  });
  const options = {
    task: "",
    workflow: "own.json",
    out: "out",
    json: false,
    inputs: new Map<string, string>(),
    progress: { event: () => undefined, end: () => undefined },
  };
  const code = await run(context, options, { runId: "", next: 0, shown: shownEvents() });
  expect(code).toBe(2);
  expect(said).toContain('there is no agent "units-agent"');
  expect(said.trimEnd().split("\n").at(-1)).toBe(
    '"units-agent" was added after the servers that are up were started, which do not know it yet. Restart `troupe up`.',
  );
});
