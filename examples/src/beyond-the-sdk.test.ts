import { expect, it } from "vitest";

import { readPage, tableUnder } from "./support/read-page.ts";

it("each limit of the SDK on beyond-the-sdk.md names a test that there is", () => {
  const rows = tableUnder(readPage("docs/beyond-the-sdk.md"), "# What the bare SDK leaves open");
  expect(rows.length).toBeGreaterThan(25);
  for (const [, , test = ""] of rows) {
    const [, path = "", name = ""] = /^\[[^\]]+\]\(\.\.\/([^)]+)\): (.+)$/.exec(test) ?? [];
    expect(readPage(path)).toContain(`"${name}"`);
  }
});
