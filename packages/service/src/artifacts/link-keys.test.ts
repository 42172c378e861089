import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { fileLinkKeys } from "./link-keys.ts";

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "troupe-keys-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
const open = fileLinkKeys;
const shown = async (keys: ReturnType<typeof open>) =>
  (await keys.read()).map((key) => Buffer.from(key).toString("hex"));

it("makes one key for all who begin at once, that nobody else can read", async () => {
  const home = newHome();
  const all = await Promise.all(Array.from({ length: 8 }, () => shown(open(home))));
  expect(new Set(all.map(String)).size).toBe(1);
  expect(all[0]?.[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(join(home, "keys"))).toEqual(["artifact-links.json"]);
  expect(statSync(join(home, "keys")).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, "keys", "artifact-links.json")).mode & 0o777).toBe(0o600);
});

it("signs with a new key after it was changed, in another process too, and keeps the one before", async () => {
  const home = newHome();
  const [one, other] = [open(home), open(home)];
  const [first] = await shown(one);
  await other.rotate();
  const [second, kept] = await shown(one);
  expect(second).not.toBe(first);
  expect(kept).toBe(first);
  await other.rotate();
  expect(await shown(one)).toEqual([expect.any(String), second]);
  await other.rotate({ revoke: true });
  expect(await shown(one)).toHaveLength(1);
});

it("says what to do with a file that cannot be read", async () => {
  const home = newHome();
  await open(home).read();
  writeFileSync(join(home, "keys", "artifact-links.json"), "{");
  await expect(open(home).read()).rejects.toMatchObject({
    code: "store.corrupt",
    message: expect.stringMatching(/Remove/) as unknown,
  });
});

it("signs with no key that others could have read", async () => {
  const home = newHome();
  await open(home).read();
  chmodSync(join(home, "keys", "artifact-links.json"), 0o644);
  await expect(open(home).read()).rejects.toMatchObject({
    code: "store.io",
    message: expect.stringMatching(/600/) as unknown,
  });
});
