import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";

import { expect, it } from "vitest";

const folder = new URL("../programs/", import.meta.url);
const programs = readdirSync(folder).filter((name) => name.endsWith(".ts"));
const flags = ["--conditions=troupe-source", "--disable-warning=ExperimentalWarning"];

// Each program holds its own assertions; a broken one makes it exit with another code than 0.
it.each(programs)(
  "%s exits 0",
  async (name) => {
    const file = new URL(name, folder).pathname;
    const { stderr } = await promisify(execFile)(process.execPath, [...flags, file], { timeout: 90_000 });
    expect(stderr).toBe("");
  },
  120_000,
);
