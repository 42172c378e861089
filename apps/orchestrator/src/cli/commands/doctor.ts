import { statfsSync, type StatsFs } from "node:fs";

import { toErrorInfo } from "@troupe/core";
import { isNodeNewEnough, NODE_NEEDED } from "@troupe/core/sqlite";
import { playbookModel } from "@troupe/playbook";
import { listKeys, readConfigFile, type Origin, type SettingReport } from "@troupe/service";

import { chooseModels } from "../../server/choose-models.ts";
import type { OrchestratorSettings } from "../../server/settings.ts";
import { discoverApps } from "../../supervisor/discover.ts";
import { isFree } from "../../supervisor/free-port.ts";
import { addedText } from "../added-apps.ts";
import { asksCallers } from "../asks-callers.ts";
import type { CliContext } from "../context.ts";
import { requireHome } from "../home.ts";
import { EXIT } from "../exit-codes.ts";
import { modelInUse } from "../say-model.ts";
import { configPath, loadSettings } from "../load-settings.ts";
import { problemOf, readServers } from "../server-record.ts";
import { findRunning } from "../servers.ts";
import { typed } from "../typed.ts";

/** What the command line gives every process it starts, whatever the settings say. */
const GIVEN = new Set(["port", "agents"]);

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}

export interface DoctorOptions {
  readonly json: boolean;
  /** Lists the settings too. */
  readonly settings: boolean;
}

/** Prints what would prevent a run, and with `--settings` every setting and its origin. `--json` has both. */
export async function doctor(context: CliContext, options: DoctorOptions): Promise<number> {
  const config = loadSettings(context);
  const inForce = config.settings
    .filter(({ key }) => !GIVEN.has(key))
    .flatMap((line) => {
      if (line.key === "home") return [{ ...line, shown: context.home, origin: homeOrigin(context) }];
      return line.key === "answer_check" ? answerChecks(context, line) : [line];
    });
  const running = await findRunning(context.home);
  const used = running === undefined ? undefined : await modelInUse(running, context.token);
  const model: Check =
    used === undefined ? checkModel(context, config.value) : { name: "model", ok: true, says: used.describe };
  const checks: Check[] = [checkNode(), checkHome(context.home), ...checkDisk(context.home), model];
  checks.push({
    name: "servers",
    ok: true,
    says: running === undefined ? "not running" : `up at ${running}`,
  });
  const asked = running === undefined ? undefined : await asksCallers(running);
  checks.push(checkCallers(context.home, config.value, asked));
  checks.push(...(await checkApps(context, running)));
  const bad = checks.filter((check) => !check.ok);
  if (options.json) context.out(`${JSON.stringify({ settings: inForce, checks })}\n`);
  else {
    context.out("Checks\n");
    for (const { name, ok, says } of checks)
      context.out(`  ${ok ? "ok " : "BAD"} ${name.padEnd(14)} ${says}\n`);
    if (options.settings) context.out(settingsText(inForce, running !== undefined));
    else context.out(`\nAll settings and their origin: ${typed(context, "doctor --settings")}\n`);
  }
  return bad.length === 0 ? EXIT.completed : EXIT.failed;
}

/** The check in force, and that of each agent with another one in the configuration file. */
function answerChecks(context: CliContext, line: SettingReport): readonly SettingReport[] {
  const all: SettingReport =
    line.origin === "unset" ? { ...line, shown: DEFAULT_CHECK, origin: "default" } : line;
  // The environment goes before the file for every process.
  if (line.origin === "env") return [all];
  const own = agentsWithAnother(context, line.key, all.shown).map(([name, value]): SettingReport => ({
    key: `${line.key} of ${name}`,
    shown: value,
    origin: "config file",
  }));
  return [all, ...own];
}

/** Names of agents with another value of a setting in the configuration file, and that value. */
function agentsWithAnother(
  { env, appsRoot }: CliContext,
  key: string,
  inForce: unknown,
): readonly (readonly [name: string, value: string])[] {
  const agents = discoverApps(appsRoot, () => undefined).filter(({ kind }) => kind === "agent");
  return agents.flatMap(({ name }) => {
    const value = readConfigFile(configPath(env), name)[key];
    return typeof value === "string" && value !== inForce ? [[name, value] as const] : [];
  });
}

/** The check of an agent without `answer_check`. */
const DEFAULT_CHECK = "rules";

function settingsText(settings: readonly SettingReport[], running: boolean): string {
  const scope = running ? " of this shell; running servers keep the ones they started with" : "";
  const width = Math.max(20, ...settings.map(({ key }) => key.length + 1));
  const lines = settings.map(
    ({ key, shown, origin, env }) =>
      `  ${key.padEnd(width)} ${(shown || "-").padEnd(44)} ${origin}${env === undefined ? "" : ` (${env})`}\n`,
  );
  return `\nSettings${scope}\n${lines.join("")}`;
}

/**
 * Authentication that nobody can pass would be noticed at the first call only.
 *
 * @param asked whether servers that are up ask who calls; undefined where none are
 */
function checkCallers(
  home: string,
  { auth, jwt_issuer: issuer }: OrchestratorSettings,
  asked: boolean | undefined,
): Check {
  const name = "callers";
  if (asked === false && auth === "on")
    return { name, ok: true, says: "asked nothing by the servers that are up, until they are started again" };
  if (asked === false || (asked === undefined && auth === "off"))
    return { name, ok: true, says: "asked nothing; only this machine can call" };
  try {
    const keys = listKeys(home).filter(({ revokedAt }) => revokedAt === undefined).length;
    const says = `asked for an API key (${keys} in force)${issuer === undefined ? "" : ` or a token of ${issuer}`}`;
    // Which issuers servers that are up take, this shell need not know.
    return keys > 0 || issuer !== undefined || asked === true
      ? { name, ok: true, says }
      : { name, ok: false, says: `${says}: nobody can call; make one with keys add` };
  } catch (error) {
    return { name, ok: false, says: toErrorInfo(error).message };
  }
}

/** The command line reads it from the environment alone, and hands it on to every process. */
function homeOrigin({ env }: CliContext): Origin {
  return env["TROUPE_HOME"] === undefined ? "default" : "env";
}

function checkNode(): Check {
  const ok = isNodeNewEnough(process.version);
  return { name: "node", ok, says: `${process.version}${ok ? "" : `; ${NODE_NEEDED} is needed`}` };
}

function checkModel(context: CliContext, value: OrchestratorSettings): Check {
  try {
    const { clock, log } = context;
    const { model, describe } = chooseModels(value, { embedded: playbookModel(), clock, log });
    // Without a key, or with a recording, no agent uses the model that it names.
    const isLive = model.kind !== "playbook" && model.kind !== "recorded";
    const agents = isLive ? modelsOfAgents(context) : [];
    return { name: "model", ok: true, says: [describe, ...agents].join(" ") };
  } catch (error) {
    return { name: "model", ok: false, says: toErrorInfo(error).message };
  }
}

/** Agents with a model of their own in the configuration file, which the environment overrides. */
function modelsOfAgents(context: CliContext): readonly string[] {
  if ((context.env["TROUPE_MODEL"] ?? "") !== "") return [];
  const { model } = readConfigFile(configPath(context.env), "orchestrator");
  return agentsWithAnother(context, "model", model).map(([name, own]) => `${name} runs on ${own}.`);
}

function checkHome(home: string): Check {
  try {
    requireHome(home);
    return { name: "home", ok: true, says: home };
  } catch (error) {
    return { name: "home", ok: false, says: (error as Error).message };
  }
}

/** Below this a run or an ingest is likely to fail halfway. */
const MIN_FREE_BYTES = 500_000_000;

/** The space for the home that a user without privileges may take; nothing where the home cannot be read. */
export function checkDisk(
  home: string,
  statfs: (path: string) => Pick<StatsFs, "bavail" | "bsize"> = statfsSync,
): readonly Check[] {
  let free: number;
  try {
    const { bavail, bsize } = statfs(home);
    free = bavail * bsize;
  } catch {
    // That it cannot be read is what the check of the home says.
    return [];
  }
  const ok = free >= MIN_FREE_BYTES;
  const says = `${gigabytes(free)} free on the disk of the home folder`;
  const few = `${says}; free at least ${gigabytes(MIN_FREE_BYTES)}, or runs and ingests fail`;
  return [{ name: "disk", ok, says: ok ? says : few }];
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Every server that is up; where none is, every app there is and whether its port is free for `up`. */
async function checkApps(context: CliContext, running: string | undefined): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const apps = discoverApps(context.appsRoot, (says) => checks.push({ name: "apps", ok: false, says }));
  if (running !== undefined) {
    for (const app of readServers(context.home, running)) {
      if (app.url === running) continue;
      const problem = problemOf(app, context.clock.now());
      checks.push({ name: app.name, ok: problem === undefined, says: problem ?? `up at ${app.url}` });
    }
    const added = addedText(context, running);
    if (added !== "") checks.push({ name: "apps", ok: false, says: added.trimEnd() });
    return checks;
  }
  for (const app of apps) {
    const free = await isFree(app.port);
    checks.push({
      name: app.name,
      ok: free,
      says: free
        ? `port ${app.port} is free`
        : `port ${app.port} is taken; use ${typed(context, "up --free-ports")}`,
    });
  }
  return checks;
}
