import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { findRunning } from "./servers.ts";

/** A home whose owner was killed, and what answers at its address now. */
async function leftBehind(record: object, answer: string): Promise<{ home: string; url: string }> {
  const home = mkdtempSync(join(tmpdir(), "troupe-owner-"));
  const server = createServer((_, response) => response.end(answer)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    rmSync(home, { recursive: true, force: true });
  });
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(join(home, "run"));
  writeFileSync(join(home, "run", "owner.json"), JSON.stringify({ pid: 1, since: 0, url, ...record }));
  return { home, url };
}

it.each([
  ["another server of ours", '{"ok":true,"instance":"other"}'],
  ["a server that knows no instance", '{"ok":true}'],
  ["a web page", "<html></html>"],
])("does not take %s for the owner of a home", async (_, answer) => {
  const { home } = await leftBehind({ instance: "mine" }, answer);
  expect(await findRunning(home)).toBeUndefined();
});

it("takes the very instance on record for the owner, and no home for none", async () => {
  const { home, url } = await leftBehind({ instance: "mine" }, '{"ok":true,"instance":"mine"}');
  expect(await findRunning(home)).toBe(url);
  expect(await findRunning(join(home, "none"))).toBeUndefined();
});
