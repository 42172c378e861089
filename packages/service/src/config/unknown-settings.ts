import { editDistance, InputError, nearestNames } from "@troupe/core";
import type { z } from "zod";

import { agentSettings } from "../agent/agent-settings.ts";
import { mcpSettings } from "../mcp/mcp-settings.ts";
import type { SettingMeta } from "./setting.ts";

/** Settings of the orchestrator alone, which has its schema in its own package. */
const ORCHESTRATOR_SETTINGS = [
  "agents",
  "agent_calls",
  "questions_expire_seconds",
  "approve_plans",
  "max_replans",
  "planner_model",
  "step_timeout_seconds",
  "redact",
  "runs_keep_days",
  "runs_keep_mb",
  "issuer",
  "engine",
  "runs_url",
  "restate_ingress",
  "restate_admin",
  "restate_port",
  "restate_endpoint",
  "restate_identity_keys",
];
const PREFIX = "TROUPE_";
/** Variables that are no settings: where the file is, and what the command line shows to servers. */
const OTHER_VARIABLES = ["TROUPE_CONFIG", "TROUPE_TOKEN", "TROUPE_TOKEN_FILE", "TROUPE_RUNS_URL_FILE"];
/** At the top of the file, an object is a misspelled name within this distance, else another server's section. */
const MAX_TYPOS = 2;

type Shape = z.ZodObject["shape"];

const builtIn = (): Shape => ({ ...agentSettings(0).shape, ...mcpSettings(0).shape });

/**
 * One sentence for each `TROUPE_...` variable that no server reads, with the nearest known name.
 *
 * @param own settings that this process has beside those of the built-in servers
 */
export function unknownVariables(
  env: { readonly [name: string]: string | undefined },
  own: Shape = {},
): readonly string[] {
  const known = new Set(OTHER_VARIABLES);
  for (const key of ORCHESTRATOR_SETTINGS) known.add(`${PREFIX}${key.toUpperCase()}`);
  for (const schema of [...Object.values(builtIn()), ...Object.values(own)]) {
    const { env: name, envAliases = [], secret } = ((schema as z.ZodType).meta() ?? {}) as SettingMeta;
    for (const variable of [name, ...envAliases]) {
      if (variable === undefined) continue;
      known.add(variable);
      if (secret === true) known.add(`${variable}_FILE`);
    }
  }
  const candidates = [...known].flatMap((name) =>
    name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [],
  );
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && (env[name] ?? "") !== "" && !known.has(name))
    .toSorted()
    .map((name) => {
      const [near] = nearestNames(name.slice(PREFIX.length), candidates);
      const hint = near === undefined ? "" : ` Did you mean "${PREFIX}${near}"?`;
      return `${name} has no effect: there is no such setting.${hint}`;
    });
}

/**
 * One sentence for each key at the top of the config file that no server is known to read. An object that
 * resembles no known name is taken for the section of another server.
 *
 * @param own settings that this process has beside those of the built-in servers
 * @param servers names of the servers that are known to have a section
 */
export function unknownKeys(
  file: { readonly [key: string]: unknown },
  { own = {}, servers }: { readonly own?: Shape; readonly servers: readonly string[] },
): readonly string[] {
  const known = [...Object.keys({ ...builtIn(), ...own }), ...ORCHESTRATOR_SETTINGS, ...servers];
  return Object.keys(file)
    .filter((key) => key !== "$schema" && !known.includes(key))
    .flatMap((key) => {
      const near = isSection(file[key])
        ? known.find((name) => editDistance(key, name) <= MAX_TYPOS)
        : nearestNames(key, known)[0];
      if (near === undefined && isSection(file[key])) return [];
      const hint =
        near === undefined
          ? " A setting of a server of your own belongs under the name of that server."
          : ` Did you mean "${near}"?`;
      return [`The config file has the unknown key "${key}".${hint}`];
    });
}

/** Throws an `InputError` for keys under the server's own name that it has no setting for. */
export function requireKnownKeys(
  file: { readonly [key: string]: unknown },
  name: string,
  settings: Shape,
): void {
  const section = file[name];
  if (section === undefined) return;
  if (!isSection(section))
    throw new InputError("input.invalid", `"${name}" in the config file must be an object of settings.`);
  const known = Object.keys(settings);
  const issues = Object.keys(section).flatMap((key) => {
    if (known.includes(key)) return [];
    const [near] = nearestNames(key, known);
    return `"${key}" under "${name}": ${name} has no such setting.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
  });
  if (issues.length > 0)
    throw new InputError(
      "input.invalid",
      `The config file cannot be used:\n${issues.map((issue) => `  ${issue}`).join("\n")}`,
      { issues },
    );
}

function isSection(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
