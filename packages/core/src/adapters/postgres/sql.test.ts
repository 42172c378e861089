import { expect, it } from "vitest";

import { StoreError } from "../../errors/store-error.ts";
import { DuplicateKey, toStoreError } from "./sql.ts";

it("says what is wrong with a database, and nothing of its address", () => {
  const said = (code?: string) =>
    toStoreError(Object.assign(new Error("postgres://ann:hunter2@db"), { code }), "The tasks");
  for (const code of ["08006", "28P01", "3D000", "42501", "57014", "ECONNREFUSED", undefined]) {
    expect(said(code)).toMatchObject({ code: "store.io" });
    expect(said(code).message).not.toContain("hunter2");
  }
  expect(said("53100")).toMatchObject({ code: "store.full" });
  expect(said("23505")).toBeInstanceOf(DuplicateKey);
  const known = new StoreError("store.corrupt", "x");
  expect(toStoreError(known, "The tasks")).toBe(known);
});
