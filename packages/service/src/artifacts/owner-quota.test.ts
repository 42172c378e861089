import { expect, it } from "vitest";

import { ENTRY_BYTES, ownerQuota } from "./owner-quota.ts";

const full = expect.objectContaining({ code: "store.full" }) as unknown;

it("counts what comes at once together, for each owner, and nothing of what failed", async () => {
  const had = new Map([["ann", ENTRY_BYTES]]);
  const asked: string[] = [];
  const usage = (owner: string): Promise<number> => {
    asked.push(owner);
    return Promise.resolve(had.get(owner) ?? 0);
  };
  const room = ownerQuota({ maxBytes: 4 * ENTRY_BYTES, usage });
  const [one, two] = await Promise.all([room("ann"), room("ann")]);
  one.grow(ENTRY_BYTES / 2);
  two.grow(ENTRY_BYTES / 2);
  expect(() => two.grow(1)).toThrow(full);
  two.end(false);
  const bob = await room("bob");
  bob.grow(3 * ENTRY_BYTES);
  bob.end(true);
  const three = await room("ann");
  one.end(true);
  // One is over and stands in no usage that was asked for; it counts all the same.
  expect(() => three.grow(ENTRY_BYTES)).toThrow(full);
  three.end(false);
  expect(asked).toEqual(["ann", "bob"]);
  had.set("ann", 4 * ENTRY_BYTES);
  await expect(room("ann")).rejects.toEqual(full);
  had.set("ann", 0);
  (await room("ann")).end(true);
});

it("lets go where the usage cannot be told", async () => {
  const failure = new Error("gone");
  let fails = true;
  const usage = (): Promise<number> => (fails ? Promise.reject(failure) : Promise.resolve(0));
  const room = ownerQuota({ maxBytes: 10 * ENTRY_BYTES, usage });
  await expect(room("ann")).rejects.toBe(failure);
  fails = false;
  (await room("ann")).end(true);
});
