import { expect, it } from "vitest";

import { citeSources } from "./cite-sources.ts";

it("takes no draft that would keep it busy for long, and says how long one may be", () => {
  expect(citeSources.parse({ draft: "x".repeat(100_000) }).ok).toBe(true);
  const parsed = citeSources.parse({ draft: "x".repeat(100_001) });
  expect(parsed).toMatchObject({ ok: false });
  expect(JSON.stringify(parsed)).toContain("A draft may have 100,000 characters at most; check it in parts.");
});
