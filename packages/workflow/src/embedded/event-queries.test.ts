import { expect, it } from "vitest";

import { EVENT_PAGE } from "../engine/event-page.ts";
import { openStorage } from "./database.ts";
import { eventInsert, eventQueries } from "./event-queries.ts";

it("reads no more at a time than fits, and always one event", () => {
  const { db } = openStorage(":memory:");
  const insert = eventInsert(db);
  const { page } = eventQueries(db);
  const large = "x".repeat(0.75 * EVENT_PAGE.bytes);
  for (const [n, body] of ["a", large, "b", large, "c", large + large].entries())
    insert({ runId: "r", key: `k${n}`, type: "note", at: 0, body });
  const positions = (from: number) => page.all("r", from).map(({ position }) => position);
  expect(positions(0)).toEqual([0, 1, 2, 3]);
  expect(positions(4)).toEqual([4, 5]);
  expect(positions(5)).toEqual([5]);
  expect(page.all("r", 2).map(({ key }) => key)).toEqual(["k2", "k3", "k4", "k5"]);
  db.close();
});

it("reads of the end of a run how it ended, and not what it answered", () => {
  const { db } = openStorage(":memory:");
  const { folded } = eventQueries(db);
  const error = { code: "x", message: "why" };
  const end = { type: "finish", outcome: "partial", error };
  const body = JSON.stringify({ ...end, response: { content: "x".repeat(1_000_000) } });
  eventInsert(db)({ runId: "r", key: "finish", type: "finish", at: 7, body });
  expect(folded.all("r").map(({ at, body }) => ({ at, body: JSON.parse(body) as unknown }))).toEqual([
    { at: 7, body: end },
  ]);
  db.close();
});
