import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { silentLog } from "@troupe/core";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { homeCollectionAccess, OPEN_ACCESS } from "./collection-access.ts";
import { collectionRulesFile, readCollectionRules, shareCollection } from "./collection-rules.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-collections-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

/** What users may do with a collection: "-" nothing, "r" read, "rw" change too. */
async function rights(collection: string, users: readonly (string | undefined)[]) {
  const access = homeCollectionAccess({ home, log: silentLog });
  const each = users.map(async (user) => {
    const { mayRead, mayChange } = await access.rightsOf(user);
    return `${mayRead(collection) ? "r" : "-"}${mayChange(collection) ? "w" : ""}`;
  });
  return Promise.all(each);
}

const ALL = ["ann", "bob", "eve", undefined];

it("lets no user read a collection without a rule, and logs that once", async () => {
  expect(await rights("handbook", ALL)).toEqual(["-", "-", "-", "-"]);
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...entry: readonly unknown[]) => void warnings.push(entry) };
  const access = homeCollectionAccess({ home, log });
  for (const user of ALL) (await access.rightsOf(user)).mayRead("handbook");
  expect(warnings).toEqual([[expect.stringContaining("has no owner"), { collection: "handbook" }]]);
});

it("opens nothing when the file of rules is deleted", async () => {
  shareCollection({ home, collection: "payroll", owner: "ann" });
  const access = homeCollectionAccess({ home, log: silentLog });
  expect((await access.rightsOf("ann")).mayRead("payroll")).toBe(true);
  rmSync(collectionRulesFile(home));
  for (const user of ALL) expect((await access.rightsOf(user)).mayRead("payroll")).toBe(false);
});

it("lets the owner change, readers read, and nobody else know of a collection", async () => {
  shareCollection({ home, collection: "payroll", owner: "ann", readers: ["bob"] });
  expect(await rights("payroll", ALL)).toEqual(["rw", "r", "-", "-"]);
  expect(await rights("handbook", ["ann", "eve"])).toEqual(["-", "-"]);
  shareCollection({ home, collection: "payroll", readers: "everyone" });
  expect(await rights("payroll", ALL)).toEqual(["rw", "r", "r", "r"]);
  shareCollection({ home, collection: "payroll", owner: "eve" });
  expect(await rights("payroll", ALL)).toEqual(["r", "r", "rw", "r"]);
});

it("has no readers beside the owner until some are named", () => {
  expect(shareCollection({ home, collection: "payroll", owner: "ann" })).toEqual({
    owner: "ann",
    readers: [],
  });
});

it("notices at once what another process changes", async () => {
  const access = homeCollectionAccess({ home, log: silentLog });
  expect((await access.rightsOf("bob")).mayRead("payroll")).toBe(false);
  shareCollection({ home, collection: "payroll", owner: "ann" });
  expect((await access.rightsOf("bob")).mayRead("payroll")).toBe(false);
  shareCollection({ home, collection: "payroll", readers: ["bob"] });
  expect((await access.rightsOf("bob")).mayRead("payroll")).toBe(true);
});

it("lets nobody read while the rules cannot be read", async () => {
  shareCollection({ home, collection: "payroll", owner: "ann" });
  const access = homeCollectionAccess({ home, log: silentLog });
  await access.rightsOf("ann");
  writeFileSync(collectionRulesFile(home), "{");
  await expect(access.rightsOf("ann")).rejects.toMatchObject({ code: "store.io" });
  rmSync(collectionRulesFile(home));
  shareCollection({ home, collection: "payroll", owner: "ann" });
  chmodSync(collectionRulesFile(home), 0o666);
  await expect(access.rightsOf("ann")).rejects.toMatchObject({ code: "store.io" });
});

it("lets nobody read where the folder of the rules is no folder", async () => {
  writeFileSync(dirname(collectionRulesFile(home)), "");
  await expect(rights("handbook", ["ann"])).rejects.toMatchObject({ code: "store.io" });
});

it("tells no callers apart where they are not authenticated", async () => {
  const { mayRead, mayChange } = await OPEN_ACCESS.rightsOf(undefined);
  expect([mayRead("payroll"), mayChange("payroll"), OPEN_ACCESS.knowsUsers]).toEqual([true, true, false]);
});

it.each([
  [{ owner: " ann" }, /" ann" is not a user id/],
  [{ owner: "ann", readers: [""] }, /"" is not a user id/],
  [{ readers: ["bob"] }, /"payroll" has no owner/],
])("refuses %j", (change, message) => {
  expect(() => shareCollection({ home, collection: "payroll", ...change })).toThrow(message);
  expect(readCollectionRules(home).size).toBe(0);
});

it("reads every form of the file that was ever written", () => {
  mkdirSync(dirname(collectionRulesFile(home)), { recursive: true });
  copyFileSync(new URL("fixtures/collections-v1.json", import.meta.url), collectionRulesFile(home));
  chmodSync(collectionRulesFile(home), 0o600);
  expect([...readCollectionRules(home)]).toEqual([
    ["handbook", { owner: "ann", readers: "everyone" }],
    ["payroll", { owner: "ann", readers: ["bob", "carl@example.com"] }],
  ]);
});
