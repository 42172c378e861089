import { readFileSync } from "node:fs";

import { chooseModel } from "@troupe/models";
import { loadConfig, readConfigFile } from "@troupe/service";
import { plannerPlaybook } from "@troupe/workflow";

import { settings } from "../../server/settings.ts";
import { discoverApps } from "../../supervisor/discover.ts";
import { isFree } from "../../supervisor/free-port.ts";
import type { CliContext } from "../context.ts";
import { requireHome } from "../home.ts";
import { EXIT } from "../exit-codes.ts";
import { findRunning } from "../servers.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}

/** Prints what is in force, where each value came from, and what would stand in the way of a run. */
export async function doctor(context: CliContext, options: { readonly json: boolean }): Promise<number> {
  const config = loadConfig(settings, {
    flags: { home: context.home },
    env: context.env,
    file: readConfigFile(context.env["TROUPE_CONFIG"] ?? "troupe.config.json", "orchestrator"),
    readSecret: (path) => readFileSync(path, "utf8"),
  });
  const chosen = chooseModel({
    anthropicApiKey: config.value.anthropic_api_key,
    anthropicBaseUrl: config.value.anthropic_base_url,
    openaiBaseUrl: config.value.openai_base_url,
    openaiApiKey: config.value.openai_api_key,
    model: config.value.model,
    playbook: plannerPlaybook,
    clock: context.clock,
    log: context.log,
  });
  const running = await findRunning(context.home);
  const checks: Check[] = [
    checkNode(),
    checkHome(context.home),
    { name: "model", ok: true, says: chosen.describe },
  ];
  checks.push({
    name: "servers",
    ok: true,
    says: running === undefined ? "not running" : `up at ${running}`,
  });
  if (running === undefined) checks.push(...(await checkPorts(context)));
  const bad = checks.filter((check) => !check.ok);
  if (options.json) context.out(`${JSON.stringify({ settings: config.settings, checks })}\n`);
  else {
    context.out("Settings\n");
    for (const { key, shown, origin, env } of config.settings) {
      context.out(
        `  ${key.padEnd(20)} ${(shown || "-").padEnd(44)} ${origin}${env === undefined ? "" : ` (${env})`}\n`,
      );
    }
    context.out("Checks\n");
    for (const { name, ok, says } of checks)
      context.out(`  ${ok ? "ok " : "BAD"} ${name.padEnd(14)} ${says}\n`);
  }
  return bad.length === 0 ? EXIT.completed : EXIT.failed;
}

function checkNode(): Check {
  const major = Number(process.versions.node.split(".", 1)[0]);
  return {
    name: "node",
    ok: major >= 22,
    says: `${process.version}${major >= 22 ? "" : "; 22 or later is needed"}`,
  };
}

function checkHome(home: string): Check {
  try {
    requireHome(home);
    return { name: "home", ok: true, says: home };
  } catch (error) {
    return { name: "home", ok: false, says: (error as Error).message };
  }
}

async function checkPorts(context: CliContext): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const app of discoverApps(context.appsRoot)) {
    const free = await isFree(app.port);
    checks.push({
      name: app.name,
      ok: free,
      says: free ? `port ${app.port} is free` : `port ${app.port} is taken; use up --free-ports`,
    });
  }
  return checks;
}
