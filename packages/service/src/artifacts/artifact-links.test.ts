import { createHmac } from "node:crypto";

import { virtualClock } from "@troupe/core/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { artifactLinks } from "./artifact-links.ts";

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const file = { id: "0123456789abcdef0123456789abcdef", name: "deck.pptx" };

function opened() {
  const clock = virtualClock();
  let keys: readonly Uint8Array[] = [keyOf(1)];
  const links = artifactLinks({ keys: () => Promise.resolve(keys), clock });
  const holds = (text: string, of = file): Promise<boolean> => links.verify(of, new URLSearchParams(text));
  return { links, clock, holds, use: (next: readonly Uint8Array[]) => (keys = next) };
}

describe("a signed link", () => {
  it("holds for its file, whatever that is called in it, for a day, and an hour more at most", async () => {
    const { links, clock, holds } = opened();
    const link = await links.sign(file);
    expect(link).toMatch(/^exp=\d+&sig=[\w-]{43}$/);
    expect(await holds(link)).toBe(true);
    expect(await holds(link, { ...file, id: file.id.replace("0", "1") })).toBe(false);
    expect(await holds(link, { ...file, name: "other.pptx" })).toBe(true);
    await clock.advance(24 * 60 * 60_000 - 1);
    expect(await holds(link)).toBe(true);
    await clock.advance(60 * 60_000);
    expect(await holds(link)).toBe(false);
  });

  it("holds for one name where it was signed for that", async () => {
    const { holds } = opened();
    const exp = "1700090000";
    const said = JSON.stringify(["troupe-artifact-1", file.id, file.name, exp]);
    const sig = createHmac("sha256", keyOf(1)).update(said).digest("base64url");
    expect(await holds(`exp=${exp}&sig=${sig}`)).toBe(true);
    expect(await holds(`exp=${exp}&sig=${sig}`, { ...file, name: "other.pptx" })).toBe(false);
  });

  it("is the same for everybody within the hour", async () => {
    const { links, clock } = opened();
    const link = await links.sign(file);
    await clock.advance(1_000);
    expect(await links.sign(file)).toBe(link);
  });

  it("holds on under a key that came before, and not under one that is gone", async () => {
    const { links, holds, use } = opened();
    const link = await links.sign(file);
    use([keyOf(2), keyOf(1)]);
    expect(await holds(link)).toBe(true);
    expect(await links.sign(file)).not.toBe(link);
    use([keyOf(3), keyOf(2)]);
    expect(await holds(link)).toBe(false);
  });

  it("cannot be changed in any place, or said twice", async () => {
    const { links, holds } = opened();
    const link = await links.sign(file);
    expect(await holds(`${link}&exp=99999999999`)).toBe(false);
    expect(await holds(link.replace("exp=", "exp=0"))).toBe(false);
    expect(await holds(link.replace("exp=", "exp=%2B"))).toBe(false);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: link.length - 1 }),
        fc.stringMatching(/^[\w&=%.+-]$/),
        async (at, letter) => {
          const changed = link.slice(0, at) + letter + link.slice(at + 1);
          const said = (text: string): string => [...new URLSearchParams(text)].join("&");
          expect(await holds(changed)).toBe(said(changed) === said(link));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is nothing that somebody makes up", async () => {
    const { holds } = opened();
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (exp, sig) => {
        expect(await holds(String(new URLSearchParams({ exp, sig })))).toBe(false);
      }),
    );
  });
});
