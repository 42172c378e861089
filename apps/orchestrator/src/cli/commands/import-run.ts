import { resolve } from "node:path";

import { InputError, isTroupeError } from "@troupe/core";

import { readRunExport } from "../../adapters/read-run-export.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { requireHome } from "../home.ts";
import { keepImported } from "../imported-runs.ts";
import { harmless } from "../render/harmless.ts";
import { withRuns } from "../runs.ts";
import { shellWord, typed } from "../typed.ts";

/** Takes in a run that was exported elsewhere: it is listed and shown, and nothing else can be done with it. */
export async function importRun(context: CliContext, { file }: { readonly file: string }): Promise<number> {
  requireHome(context.home);
  const exported = readRunExport(resolve(context.cwd, file));
  const { runId } = exported.run;
  const there = await withRuns(context, (runs) => runs.find(runId)).then(
    (view) => view.runId === runId,
    (error: unknown) => {
      if (isTroupeError(error) && error.code === "input.not-found") return false;
      throw error;
    },
  );
  if (there || !keepImported(context, exported))
    throw new InputError(
      "input.invalid",
      `Run ${runId} is there already: ${typed(context, `show ${shellWord(runId)}`)}`,
    );
  context.out(
    harmless(`Run ${runId} was imported. See it with: ${typed(context, `show ${shellWord(runId)}`)}\n`),
  );
  return EXIT.completed;
}
