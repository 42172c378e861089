import { expect, it } from "vitest";

import { momentText } from "./moment.ts";

it("tells a time to the minute, and of what is none says so", () => {
  expect(momentText(Date.UTC(2026, 10, 22, 10, 30, 59))).toBe("2026-11-22T10:30Z");
  for (const none of [1e300, Number.NaN, -Infinity]) expect(momentText(none)).toBe("no valid time");
});
