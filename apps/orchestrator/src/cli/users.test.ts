import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { announceStop, isStopping, isUsedByOthers, signIn } from "./users.ts";

afterEach(cleanUp);

describe("signIn", () => {
  it("counts other processes that run, and neither this one nor those that died", () => {
    const home = temporaryFolder();
    const users = join(home, "run", "users");
    const signOut = signIn(home);
    writeFileSync(join(users, String(spawnSync(process.execPath, ["--version"]).pid)), "");
    writeFileSync(join(users, "notes.txt"), "");
    expect(isUsedByOthers(home)).toBe(false);
    writeFileSync(join(users, String(process.ppid)), "");
    expect(isUsedByOthers(home)).toBe(true);
    signOut();
    expect(readdirSync(users)).not.toContain(String(process.pid));
  });
});

it("tells of a process that is about to stop the servers, as long as it runs", () => {
  const home = temporaryFolder();
  mkdirSync(join(home, "run"));
  expect(isStopping(home)).toBe(false);
  const stopped = announceStop(home);
  expect(isStopping(home)).toBe(false);
  writeFileSync(join(home, "run", "stopping"), String(process.ppid));
  expect(isStopping(home)).toBe(true);
  writeFileSync(join(home, "run", "stopping"), "999999999");
  expect(isStopping(home)).toBe(false);
  stopped();
  expect(isStopping(home)).toBe(false);
});
