import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { isUsedByOthers, signIn } from "./users.ts";

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
