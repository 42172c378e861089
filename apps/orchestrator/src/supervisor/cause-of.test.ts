import { array, assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";

import { causeOf } from "./cause-of.ts";

describe("causeOf", () => {
  it("finds the message in the middle of a stack, and says how to get a package", () => {
    const lines = [
      "node:internal/modules/package_json_reader:331",
      "  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);",
      "        ^",
      "",
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@troupe/nope' imported from /apps/a/src/main.ts",
      "    at packageResolve (node:internal/modules/esm/resolve:784:25) {",
      "  code: 'ERR_MODULE_NOT_FOUND'",
      "}",
      "Node.js v24.21.0",
    ];
    expect(causeOf(lines)).toBe(
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@troupe/nope' imported from /apps/a/src/main.ts. " +
        'Name "@troupe/nope" among the dependencies in its package.json and install: npm run pnpm -- install',
    );
  });

  it("says where code cannot be read", () => {
    const lines = [
      "file:///apps/a/src/agent.ts:7",
      "export const a = ;",
      "                 ^",
      "SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected",
      "    at parseTypeScript (node:internal/modules/typescript:72:36)",
    ];
    expect(causeOf(lines)).toBe(
      "SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected, at /apps/a/src/agent.ts:7",
    );
  });

  it("takes the error of a log line, else the last line, else nothing", () => {
    expect(causeOf(['{"level":50,"err":{"message":"no disk"}}', "{"])).toBe("no disk");
    expect(causeOf(["one", "two"])).toBe("two");
    expect(causeOf([])).toBeUndefined();
  });

  it("is linear in the length of a line", () => {
    // At this length what takes quadratic time never ends, on any machine.
    expect(causeOf(["/".repeat(1_000_000), "Error: no disk"])).toBe("Error: no disk");
  });

  it("finds something in whatever was written", () => {
    assert(
      property(array(string(), { minLength: 1 }), (lines) => {
        expect(typeof causeOf(lines)).toBe("string");
      }),
    );
  });
});
