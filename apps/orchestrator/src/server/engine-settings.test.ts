import { loadConfig } from "@troupe/service";
import { expect, it } from "vitest";

import { settings } from "./settings.ts";

const load = (env: { readonly [name: string]: string }) =>
  loadConfig(settings, { env, readSecret: () => "postgres://troupe:hunter2@db/troupe" });
function refused(env: { readonly [name: string]: string }): string {
  try {
    load(env);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}
const databases = { TROUPE_RUNS_URL_FILE: "/run/secrets/db", TROUPE_TASKS_URL_FILE: "/run/secrets/db" };

it("journals runs in the home folder unless told otherwise", () => {
  expect(load({}).value).toMatchObject({ engine: "embedded", restate_port: 9080 });
});

it("takes Restate with its databases from secret files, and shows neither", () => {
  const { value, settings: shown } = load({ TROUPE_ENGINE: "restate", ...databases });
  expect(value).toMatchObject({ runs_url: "postgres://troupe:hunter2@db/troupe" });
  expect(JSON.stringify(shown)).not.toContain("hunter2");
});

it("says all that is wrong at once, also of what is missing beside what is wrong by itself", () => {
  const message = refused({
    TROUPE_ENGINE: "restate",
    TROUPE_HOST: "0.0.0.0",
    TROUPE_PORT: "many",
    TROUPE_RESTATE_ADMIN: "http://restate:9070",
    TROUPE_RUNS_URL: "mysql://db/troupe",
  });
  expect(message.split("\n").slice(1)).toEqual([
    expect.stringContaining("port (TROUPE_PORT)"),
    expect.stringContaining("runs_url (TROUPE_RUNS_URL): the secret given"),
    expect.stringContaining("restate_admin (TROUPE_RESTATE_ADMIN)"),
    expect.stringContaining("tasks_url (TROUPE_TASKS_URL): is needed with TROUPE_ENGINE=restate"),
    expect.stringContaining("restate_identity_keys (TROUPE_RESTATE_IDENTITY_KEYS): is needed where others"),
  ]);
});

it("refuses what would have no effect, and a port others reach that takes every request", () => {
  expect(refused({ TROUPE_RUNS_URL: "postgres://db/troupe" })).toContain("has no effect without");
  const open = { TROUPE_ENGINE: "restate", TROUPE_HOST: "0.0.0.0", ...databases };
  expect(refused(open)).toContain("TROUPE_RESTATE_IDENTITY_KEYS");
  expect(refused({ ...open, TROUPE_RESTATE_IDENTITY_KEYS: '["none"]' })).toContain("publickeyv1_");
  expect(refused({ ...open, TROUPE_RESTATE_IDENTITY_KEYS: '["publickeyv1_x"]' })).toBe("");
  expect(refused({ ...open, TROUPE_HOST: "127.0.0.1" })).toBe("");
});
