import { InputError } from "@troupe/core";
import type { z } from "zod";

import { scrub } from "../log/scrub.ts";
import type { SettingMeta } from "./setting.ts";

/** Where a value came from, for `doctor`. */
export type Origin = "flag" | "env" | "secret file" | "config file" | "default" | "unset";

export interface ConfigSources {
  /** By flag name without dashes. */
  readonly flags?: { readonly [flag: string]: string | boolean | undefined };
  readonly env?: { readonly [name: string]: string | undefined };
  /** Parsed `troupe.config.json`, by setting name. */
  readonly file?: { readonly [key: string]: unknown };
  /** Reads a file named by `<ENV>_FILE`. */
  readonly readSecret: (path: string) => string;
}

export interface SettingReport {
  readonly key: string;
  /** `***` for a secret. */
  readonly shown: string;
  readonly origin: Origin;
  readonly env?: string;
}

export interface LoadedConfig<T> {
  readonly value: T;
  readonly settings: readonly SettingReport[];
}

/**
 * Reads one process's settings: flags over environment over file over defaults. All problems are
 * reported at once in one `InputError`; a secret's value is never quoted.
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  sources: ConfigSources,
): LoadedConfig<z.output<S>> {
  const raw: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  const metas = new Map<string, SettingMeta>();
  const issues: string[] = [];
  for (const [key, setting] of Object.entries(schema.shape)) {
    const meta = (setting as z.ZodType).meta() as SettingMeta | undefined;
    metas.set(key, meta ?? {});
    const found = lookUp(key, meta ?? {}, sources, issues);
    origins.set(key, found.origin);
    if (found.origin !== "default") raw[key] = found.value;
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) issues.push(...parsed.error.issues.map((issue) => describe(issue, metas, raw)));
  if (issues.length > 0 || !parsed.success) {
    throw new InputError(
      "input.invalid",
      `Settings that cannot be used:\n${issues.map((line) => `  ${line}`).join("\n")}`,
      {
        issues,
      },
    );
  }
  const value = parsed.data;
  const settings = Object.keys(schema.shape).map((key) =>
    report(key, metas.get(key) ?? {}, origins.get(key) ?? "default", (value as Record<string, unknown>)[key]),
  );
  return { value, settings };
}

function lookUp(
  key: string,
  meta: SettingMeta,
  sources: ConfigSources,
  issues: string[],
): { readonly origin: Origin; readonly value?: unknown } {
  const flag = meta.flag === undefined ? undefined : sources.flags?.[meta.flag];
  if (flag !== undefined) return { origin: "flag", value: flag };
  if (meta.env !== undefined) {
    const names = [meta.env, ...(meta.envAliases ?? [])];
    const fromEnv = names.map((name) => sources.env?.[name] ?? "").find((value) => value !== "");
    if (fromEnv !== undefined) return { origin: "env", value: fromEnv };
    const path = sources.env?.[`${meta.env}_FILE`];
    if (meta.secret === true && path !== undefined && path !== "") {
      try {
        return { origin: "secret file", value: sources.readSecret(path).trim() };
      } catch {
        issues.push(`${meta.env}_FILE: "${path}" cannot be read. Check the path and its permissions.`);
      }
    }
  }
  const fromFile = sources.file?.[key];
  return fromFile === undefined ? { origin: "default" } : { origin: "config file", value: fromFile };
}

function describe(
  issue: z.core.$ZodIssue,
  metas: ReadonlyMap<string, SettingMeta>,
  raw: Record<string, unknown>,
): string {
  const key = String(issue.path[0] ?? "settings");
  const meta = metas.get(key) ?? {};
  const name = meta.env === undefined ? key : `${key} (${meta.env})`;
  if (!(key in raw)) return `${name}: ${issue.message}`;
  const quoted = meta.secret === true ? "the secret given" : scrub(JSON.stringify(raw[key]) ?? "");
  return `${name}: ${quoted} ${issue.path.length > 1 ? `at ${issue.path.slice(1).map(String).join(".")} ` : ""}- ${issue.message}`;
}

function report(key: string, meta: SettingMeta, origin: Origin, value: unknown): SettingReport {
  const unset = value === undefined;
  // Of a setting that is no secret, a part may be one, such as the password in an address.
  const text = scrub(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return {
    key,
    shown: unset ? "" : meta.secret === true ? "***" : text,
    origin: unset ? "unset" : origin,
    ...(meta.env === undefined ? {} : { env: meta.env }),
  };
}
