import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { cleanUp, temporaryFolder } from "../testing/troupe.ts";
import { readWorkflow } from "./read-workflow.ts";

afterEach(cleanUp);

it("reads a workflow of as many characters as one may have, and nothing that is larger", () => {
  const cwd = temporaryFolder();
  const small = '{"version":1,"name":"€","steps":[{"id":"a","agent":"a","instruction":"Do it."}]}';
  writeFileSync(join(cwd, "w.json"), `${small}${" ".repeat(200_000 - small.length)}`);
  expect(readWorkflow({ cwd }, "w.json").name).toBe("€");
  truncateSync(join(cwd, "w.json"), 2 ** 33);
  expect(() => readWorkflow({ cwd }, "w.json")).toThrow(
    '"w.json" has 8589934592 bytes; a workflow has 600000 at most.',
  );
});

it("does not read what may never end, and says what is to be named", () => {
  const cwd = temporaryFolder();
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  for (const file of ["pipe", "/dev/zero", "."])
    expect(() => readWorkflow({ cwd }, file)).toThrow(
      `"${file}" is no file. Name a plain one: no folder, pipe or device.`,
    );
  expect(() => readWorkflow({ cwd }, "none.yaml")).toThrow(
    '"none.yaml" cannot be read: there is no such file.',
  );
  expect(() => readWorkflow({ cwd }, "a".repeat(300))).toThrow("cannot be read (ENAMETOOLONG).");
});
