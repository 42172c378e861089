import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { beforeEach, expect, it, onTestFinished } from "vitest";

import { delegationKeyFile, openDelegationKey } from "./delegation-key.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-delegation-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

it("is made once, also by two that start together, and shown to nobody", async () => {
  const [one, two] = await Promise.all([openDelegationKey(home), openDelegationKey(home)]);
  expect(two.kid).toBe(one.kid);
  expect((await openDelegationKey(home)).kid).toBe(one.kid);
  expect(statSync(delegationKeyFile(home)).mode & 0o777).toBe(0o600);
  const { d } = (JSON.parse(readFileSync(delegationKeyFile(home), "utf8")) as { key: { d: string } }).key;
  expect(JSON.stringify(one.publicJwk)).not.toContain(d);
  expect(Object.keys(one.publicJwk).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
});

it("is another one when its file was taken away", async () => {
  const { kid } = await openDelegationKey(home);
  rmSync(delegationKeyFile(home));
  expect((await openDelegationKey(home)).kid).not.toBe(kid);
});

it("is not used when others could have read it, or when it is none", async () => {
  await openDelegationKey(home);
  chmodSync(delegationKeyFile(home), 0o640);
  await expect(openDelegationKey(home)).rejects.toMatchObject({
    code: "store.io",
    message: expect.stringContaining("can be read by others (mode 640)") as unknown,
  });
  rmSync(delegationKeyFile(home));
  copyFileSync(new URL("fixtures/keys-v1.json", import.meta.url), delegationKeyFile(home));
  chmodSync(delegationKeyFile(home), 0o600);
  await expect(openDelegationKey(home)).rejects.toMatchObject({ code: "store.corrupt" });
});

it("is read from every form of the file that was ever written", async () => {
  mkdirSync(dirname(delegationKeyFile(home)), { recursive: true });
  copyFileSync(new URL("fixtures/delegation-key-v1.json", import.meta.url), delegationKeyFile(home));
  chmodSync(delegationKeyFile(home), 0o600);
  expect((await openDelegationKey(home)).kid).toBe("FnY19vZaYt_oUxas5N2-DA7zap3VnorSjBAEge4Dh0w");
});
