import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { takeToken } from "./take-token.ts";

it("takes the token out of the file, or the environment, and leaves it to nobody", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-token-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "token");
  writeFileSync(file, "from-file\n");
  const given = { PATH: "/bin", TROUPE_TOKEN: "from-env", TROUPE_TOKEN_FILE: join(folder, "none") };
  expect(takeToken(given, undefined)).toEqual({ env: { PATH: "/bin" }, token: "from-env" });
  expect(takeToken(given, file)).toEqual({ env: { PATH: "/bin" }, token: "from-file" });
  expect(takeToken({ TROUPE_TOKEN_FILE: file }, undefined).token).toBe("from-file");
  expect(takeToken({ TROUPE_TOKEN: "" }, undefined)).toEqual({ env: {} });
  expect(() => takeToken({}, join(folder, "none"))).toThrow(/cannot be read/);
  for (const bad of ["two words", "a\r\nX-Admin: 1", "\u00e9"])
    expect(() => takeToken({ TROUPE_TOKEN: bad }, undefined)).toThrow(
      /^What stands in TROUPE_TOKEN is no token/,
    );
});
