import { expect, it } from "vitest";

import { momentText } from "./moment.ts";

it("tells a time to the minute or to the second, and of what is none says so", () => {
  const at = Date.UTC(2026, 10, 22, 10, 30, 59);
  expect(momentText(at)).toBe("2026-11-22T10:30Z");
  expect(momentText(at, "second")).toBe("2026-11-22 10:30:59");
  for (const none of [1e300, Number.NaN, -Infinity])
    expect([momentText(none), momentText(none, "second")]).toEqual(["no valid time", "no valid time"]);
});
