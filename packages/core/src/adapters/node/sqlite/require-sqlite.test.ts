import { expect, it } from "vitest";

import { requireSqlite } from "./require-sqlite.ts";

it("says which Node is needed where there is no node:sqlite", () => {
  expect(() => requireSqlite(() => undefined, "v20.11.0")).toThrow(
    expect.objectContaining({
      code: "store.io",
      message: expect.stringMatching(/Node v20\.11\.0.*22\.13/) as string,
    }),
  );
});
