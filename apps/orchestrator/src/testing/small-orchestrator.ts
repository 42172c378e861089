import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { serveAgent } from "@troupe/a2a/server";
import { scriptedAgent, type AgentScript } from "@troupe/a2a/testing";
import { silentLog } from "@troupe/core";
import { onTestFinished } from "vitest";

import type { CliContext } from "../cli/context.ts";
import { runProgram } from "../cli/program.ts";
import { report } from "../cli/report.ts";
import { settings } from "../server/settings.ts";
import { start } from "../server/start.ts";
import { testContext } from "./test-context.ts";
import { temporaryFolder, type Finished } from "./troupe.ts";

/** An orchestrator in this process, on a home of its own, with agents that answer by script. */
export interface SmallOrchestrator {
  readonly home: string;
  /** Of the orchestrator that runs now. */
  readonly url: string;
  /** Stops the orchestrator. */
  readonly stop: () => Promise<void>;
  /** Starts it again, on another port. */
  readonly restart: () => Promise<void>;
  /** Writes a workflow of these steps, all at once unless they wait for one another; gives its path. */
  readonly workflow: (steps: readonly object[], more?: object) => string;
  /** A command of `troupe` on that home. */
  readonly troupe: (args: readonly string[], own?: Partial<CliContext>) => Promise<Finished>;
}

/** The agents are called by their names here; everything is closed when the test is over. */
export async function smallOrchestrator(
  agents: { readonly [name: string]: AgentScript },
  given: object = {},
): Promise<SmallOrchestrator> {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const urls = await Promise.all(
    Object.entries(agents).map(async ([name, script]) => {
      const served = await serveAgent({ agent: scriptedAgent(script, { name }) });
      onTestFinished(() => served.close());
      return served.url;
    }),
  );
  let url = "";
  let stop = (): Promise<void> => Promise.resolve();
  const restart = async (): Promise<void> => {
    const running = await start(settings.parse({ home, port: 0, agents: urls, ...given }), {
      log: silentLog,
    });
    let closed: Promise<void> | undefined;
    stop = () => (closed ??= running.close());
    ({ url } = running);
  };
  await restart();
  onTestFinished(() => stop());
  return {
    home,
    get url() {
      return url;
    },
    stop: () => stop(),
    restart,
    workflow(steps, more = {}) {
      const file = join(home, "..", "workflow.json");
      writeFileSync(file, JSON.stringify({ version: 1, name: "Small", mode: "parallel", steps, ...more }));
      return file;
    },
    async troupe(args, own = {}) {
      const written = { stdout: "", stderr: "" };
      const out = (text: string): void => void (written.stdout += text);
      const err = (text: string): void => void (written.stderr += text);
      const context = testContext(home, { out, err, interrupted: AbortSignal.timeout(30_000), ...own });
      const shell = { out, err, env: context.env, open: () => Promise.resolve(context) };
      const code = await runProgram(args, shell).catch((error: unknown) => report(error, context.err));
      return { code, signal: null, ...written };
    },
  };
}
