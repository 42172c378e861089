import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { virtualClock } from "@troupe/core/testing";
import { afterEach, describe, expect, it } from "vitest";

import { holdInOtherProcess } from "../testing/hold-in-other-process.ts";
import { testContext } from "../testing/test-context.ts";
import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { startOwn, useServers } from "./servers.ts";
import { announceStop, isStarting, isStopping, otherUsers, signIn } from "./users.ts";
import { untilSettled, untilUnused } from "./wait-for-others.ts";

afterEach(cleanUp);

function homeInUse(): { readonly home: string; readonly users: string; readonly stopping: string } {
  const home = temporaryFolder();
  const users = join(home, "run", "users");
  mkdirSync(users, { recursive: true });
  return { home, users, stopping: join(home, "run", "stopping.lock") };
}

describe("who uses the servers of a home", () => {
  it("is every other process that runs, and not this one", async () => {
    const { home, users } = homeInUse();
    const signOut = signIn(home);
    expect(otherUsers(home)).toEqual([]);
    const other = await holdInOtherProcess((pid) => join(users, `${pid}-a.lock`));
    expect(otherUsers(home)).toEqual([other.pid]);
    await other.kill();
    expect(otherUsers(home)).toEqual([]);
    signOut();
    expect(readdirSync(users)).toEqual([]);
  });

  it("says what is wrong with the folder where no note can be made", () => {
    const { home } = homeInUse();
    const file = join(home, "file");
    writeFileSync(file, "");
    expect(() => signIn(file)).toThrow(
      expect.objectContaining({
        code: "store.io",
        message: expect.stringContaining(`"${join(file, "run", "users")}"`),
      }),
    );
  });

  it("is nobody who died, whoever has that process id now, and nothing else that lies there", () => {
    const { home, users } = homeInUse();
    const left = join(users, `${process.ppid}-a.lock`);
    writeFileSync(left, "");
    writeFileSync(join(users, String(process.ppid)), "");
    writeFileSync(join(users, "notes.txt"), "");
    mkdirSync(join(users, "1-folder.lock"));
    expect(otherUsers(home)).toEqual([]);
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(users)).toContain("notes.txt");
  });

  it("is waited for, to the end of its process or of an hour", async () => {
    const { home, users } = homeInUse();
    const other = await holdInOtherProcess((pid) => join(users, `${pid}-a.lock`));
    const clock = virtualClock();
    const said: string[] = [];
    const context = testContext(home, { clock, err: (text) => void said.push(text) });
    const waiting = untilUnused(context);
    await clock.advance(60 * 60_000);
    (await waiting)();
    expect(said).toEqual([
      `Another command (process ${other.pid}) uses these servers; waiting for it to end. Ctrl-C stops them now.\n`,
      `Another command (process ${other.pid}) uses these servers after 60 min still; they are stopped now.\n`,
    ]);
    const again = untilUnused(context);
    await other.kill();
    await clock.advance(1_000);
    (await again)();
    expect(said).toHaveLength(3);
  });
});

describe("who stops the servers of a home", () => {
  it("is another process, as long as it runs", async () => {
    const { home, stopping } = homeInUse();
    expect(isStopping(home)).toBe(false);
    const stopped = announceStop(home);
    expect(isStopping(home)).toBe(false);
    stopped();
    const other = await holdInOtherProcess(() => stopping);
    expect(isStopping(home)).toBe(true);
    // It is said already.
    announceStop(home)();
    expect(isStopping(home)).toBe(true);
    await other.kill();
    expect(isStopping(home)).toBe(false);
    announceStop(home)();
    expect(existsSync(stopping)).toBe(false);
  });

  it("is nobody who died, nor a folder of that name", () => {
    const { home, stopping } = homeInUse();
    writeFileSync(join(home, "run", "stopping"), String(process.ppid));
    expect(isStopping(home)).toBe(false);
    mkdirSync(stopping);
    expect(isStopping(home)).toBe(false);
    announceStop(home)();
  });

  it("is waited for, but not for ever", async () => {
    const { home, users, stopping } = homeInUse();
    const other = await holdInOtherProcess(() => stopping);
    const clock = virtualClock();
    const context = testContext(home, { clock });
    const [waiting, using] = [untilSettled(context), useServers(context)].map((one) => one.catch(String));
    await clock.advance(60_000);
    expect(await waiting).toMatch(
      /has been stopping the servers of ".*" for 60 s\. End it, or set TROUPE_HOME/,
    );
    expect(await using).toBe(await waiting);
    expect(readdirSync(users)).toEqual([]);
    await other.kill();
    await untilSettled(context);
  });
});

describe("whoever starts the servers of a home", () => {
  const starting = (home: string): string => join(home, "run", "starting.lock");

  it("is one command at a time: another refuses to start more, and joins them once all of them are up", async () => {
    const { home, users } = homeInUse();
    const other = await holdInOtherProcess(() => starting(home));
    const clock = virtualClock();
    const context = testContext(home, { clock });
    await expect(startOwn(context, "free")).rejects.toMatchObject({
      code: "store.locked",
      message: expect.stringContaining("Another command is starting the servers of") as string,
    });
    expect(isStarting(home)).toBe(true);
    const using = useServers(context).catch(String);
    await clock.advance(60_000);
    expect(await using).toMatch(
      /has been starting the servers of ".*" for 60 s\. End it, or set TROUPE_HOME/,
    );
    expect(readdirSync(users)).toEqual([]);
    await other.kill();
    expect(isStarting(home)).toBe(false);
  });

  it("says what is wrong where that cannot be noted", async () => {
    const { home } = homeInUse();
    mkdirSync(starting(home));
    await expect(startOwn(testContext(home), "free")).rejects.toMatchObject({
      code: "store.io",
      message: expect.stringContaining("starting.lock") as string,
    });
  });
});
