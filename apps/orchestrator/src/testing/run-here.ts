import { resolve } from "node:path";

import { runProgram } from "../cli/program.ts";
import { report } from "../cli/report.ts";
import { testContext } from "./test-context.ts";
import type { Finished, TroupeOptions } from "./troupe.ts";

/** The command line in this process, for what comes to its end without servers: it takes a fiftieth of the time. */
export async function runHere(args: readonly string[], { home, env = {} }: TroupeOptions): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  const out = (text: string): void => void (written.stdout += text);
  const err = (text: string): void => void (written.stderr += text);
  const context = testContext(home, {
    out,
    err,
    env: { TROUPE_HOME: home, ...env },
    cwd: resolve(home, ".."),
    appsRoot: resolve(import.meta.dirname, "..", "..", ".."),
  });
  const shell = { out, err, env: context.env, open: () => Promise.resolve(context) };
  const code = await runProgram(args, shell).catch((error: unknown) => report(error, err));
  return { code, signal: null, ...written };
}
