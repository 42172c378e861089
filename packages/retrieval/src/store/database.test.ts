import { expect, it } from "vitest";

import { toStoreError } from "./database.ts";

it.each([
  { errcode: 13, message: "database or disk is full" },
  { errcode: 4874, message: "disk I/O error" },
  { code: "ENOSPC", syscall: "mkdir", message: "no space left on device" },
  { code: "EDQUOT", syscall: "open", message: "quota exceeded" },
])("names a full disk: %o", (failure) => {
  expect(toStoreError(Object.assign(new Error(), failure), "/home/index.db")).toMatchObject({
    code: "store.full",
    message:
      'The disk is full, so the index "/home/index.db" cannot be written. Free some space and try again.',
    retryable: true,
  });
});

it("does not take another failure to write for a full disk", () => {
  for (const failure of [{ errcode: 778 }, { code: "EACCES", syscall: "open" }])
    expect(toStoreError(Object.assign(new Error(), failure))).toMatchObject({ code: "store.io" });
});
