import { silentLog } from "@troupe/core";
import type { Sql } from "@troupe/core/postgres";
import { virtualClock } from "@troupe/core/testing";
import { expect, it } from "vitest";

import { EventWriter, type WaitingEvent } from "./event-writer.ts";

const row = (run: string, key: string): WaitingEvent => ({
  run,
  key,
  longKey: null,
  type: "x",
  body: "{}",
  at: 0,
});

/** A writer over a database that does not take some keys. */
function over(isBad: (key: string) => boolean) {
  const stored: string[] = [];
  const tries: number[] = [];
  const sql: Sql = {
    async query(_text, args) {
      const keys = args[1] as readonly string[];
      tries.push(keys.length);
      if (keys.some(isBad))
        throw new Error("not written", { cause: Object.assign(new Error("check"), { code: "23514" }) });
      stored.push(...keys);
      return [];
    },
    script: async () => undefined,
  };
  const errors: unknown[] = [];
  const writer = new EventWriter({
    sql,
    append: "",
    clock: virtualClock(),
    log: { ...silentLog, error: (_what, fields) => void errors.push(fields?.["runId"]) },
    inPlaceOf: ({ run, key }) => (key.startsWith("instead") ? [] : [row(run, `instead ${key}`)]),
    onStored: () => undefined,
  });
  return { stored, tries, errors, writer };
}

it.each([0, 1, 249, 250, 333, 498, 499])(
  "finds the event of 500 that is refused, here number %i, in a handful of tries, and keeps all others",
  async (bad) => {
    const { stored, tries, errors, writer } = over((key) => key === String(bad));
    for (let n = 0; n < 500; n++) writer.add(row(`r${n % 7}`, String(n)));
    await writer.kept();
    const all = Array.from({ length: 500 }, (_, n) => String(n));
    expect(stored).toEqual(all.with(bad, `instead ${bad}`));
    expect(tries.length).toBeLessThan(20);
    expect(errors).toEqual([`r${bad % 7}`]);
  },
);

it("leaves out what is refused together with what would take its place, and finds each of several", async () => {
  const { stored, errors, writer } = over((key) => /(^| )(3|4|90)$/.test(key) && key !== "instead 90");
  for (let n = 0; n < 100; n++) writer.add(row("r", String(n)));
  await writer.kept();
  expect(stored).toHaveLength(98);
  expect(stored).toContain("instead 90");
  expect(errors).toHaveLength(5);
});

it("says that events are kept once what takes their place is", async () => {
  const { stored, writer } = over((key) => key === "bad");
  writer.add(row("r", "bad"));
  await writer.kept();
  expect(stored).toEqual(["instead bad"]);
});
