import { gate, virtualClock } from "@troupe/core/testing";
import { describe, expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";
import type { Lacks } from "./health.ts";

const agent = scriptedAgent(() => answering(["x"]));
const all = { card: true, model: true, tools: true };

describe("/readyz", () => {
  it.each<[Lacks, number, object]>([
    [{}, 200, { ok: true, reasons: [], capabilities: all }],
    [{ model: ["no key"] }, 503, { ok: false, reasons: ["no key"], capabilities: { ...all, model: false } }],
    [{ tools: ["a", "b"] }, 503, { ok: false, reasons: ["a", "b"], capabilities: { ...all, tools: false } }],
  ])("tells %j by capability", async (lacks, status, body) => {
    await withServed({ agent, ready: () => Promise.resolve(lacks) }, async ({ url }) => {
      const answer = await fetch(`${url}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([status, body]);
    });
  });

  it("does not wait for a check that hangs, and asks once however many look", async () => {
    const clock = virtualClock();
    const asked = gate();
    let checks = 0;
    const ready = (): Promise<Lacks> => {
      checks++;
      asked.open();
      return new Promise(() => undefined);
    };
    await withServed({ agent, clock, ready }, async ({ url }) => {
      const answers = Promise.all([1, 2, 3].map(() => fetch(`${url}/readyz`)));
      await asked.opened;
      const later = () => clock.advance(500).then(() => undefined);
      let told: readonly Response[] | undefined;
      while (told === undefined) told = await Promise.race([answers, later()]);
      expect(told.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(await told[0]?.json()).toMatchObject({ reasons: ["the readiness check took longer than 3 s"] });
      expect(checks).toBeLessThanOrEqual(2);
    });
  });

  it("says nothing of an error inside", async () => {
    const ready = (): Promise<Lacks> => Promise.reject(new Error("secret of /etc"));
    await withServed({ agent, ready }, async ({ url }) => {
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
        ok: false,
        reasons: ["the readiness check failed"],
        capabilities: { card: true, model: false, tools: false },
      });
    });
  });
});
