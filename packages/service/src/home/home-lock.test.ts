import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { lockHome, readOwner, shareHome } from "./home-lock.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-home-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const module = new URL("./home-lock.ts", import.meta.url).href;
const node = (script: string) => ["--conditions=troupe-source", "--input-type=module", "-e", script];

describe("lockHome", () => {
  it("refuses a second owner and names the first", () => {
    const lock = lockHome(home);
    lock.announce({ pid: 4711, url: "http://127.0.0.1:1", since: 0 });
    const script = `import { lockHome } from ${JSON.stringify(module)};
      try { lockHome(${JSON.stringify(home)}); console.log("got it"); } catch (e) { console.log(e.code, e.message); }`;
    const said = execFileSync(process.execPath, node(script), { encoding: "utf8" });
    expect(said).toContain("store.locked");
    expect(said).toContain("process 4711 at http://127.0.0.1:1");
    lock.release();
    expect(readOwner(home)).toBeUndefined();
    lockHome(home).release();
  });

  it("makes the home for nobody else to look into", () => {
    const fresh = join(home, "fresh");
    const lock = lockHome(fresh);
    lock.announce({ pid: 1, since: 0 });
    const modes = [fresh, join(fresh, "run"), join(fresh, "run", "owner.json")];
    expect(modes.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
    lock.release();
  });

  it("is free again after its owner was killed", async () => {
    const script = `import { lockHome } from ${JSON.stringify(module)};
      lockHome(${JSON.stringify(home)}).announce({ pid: process.pid, since: 0 }); console.log("locked"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, node(script), { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(() => lockHome(home)).toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    lockHome(home).release();
  });

  it("says what stands in the place of its record, and lets go of the home all the same", () => {
    const record = join(home, "run", "owner.json");
    mkdirSync(join(record, "below"), { recursive: true });
    expect(readOwner(home)).toBeUndefined();
    const lock = lockHome(home);
    expect(() => lock.announce({ pid: 1, since: 0 })).toThrow(
      /owner\.json" cannot be written \(EISDIR\)\. Move away what stands there/,
    );
    lock.release();
    lockHome(home).release();
  });

  it.each(["null", "7", '{"pid":"1","since":0}', '{"pid":1,"since":0,"url":{}}', "{"])(
    "reads no owner from %s",
    (record) => {
      mkdirSync(join(home, "run"));
      writeFileSync(join(home, "run", "owner.json"), record);
      expect(readOwner(home)).toBeUndefined();
    },
  );

  it("does not name an owner where the lock itself is broken", () => {
    mkdirSync(join(home, "run"));
    writeFileSync(join(home, "run", "owner.lock"), "no database, ".repeat(1_000));
    expect(() => lockHome(home)).toThrow(/owner\.lock" cannot be used \(file is not a database\)/);
  });
});

describe("shareHome", () => {
  it("has several at once, of whom the last to come is found, and takes only its own record away", () => {
    const [one, other] = [shareHome(home), shareHome(home)];
    one.announce({ pid: 1, url: "http://127.0.0.1:1", instance: "one", since: 0 });
    other.announce({ pid: 2, url: "http://127.0.0.1:2", instance: "other", since: 1 });
    one.release();
    expect(readOwner(home)).toMatchObject({ instance: "other" });
    other.release();
    expect(readOwner(home)).toBeUndefined();
  });
});
