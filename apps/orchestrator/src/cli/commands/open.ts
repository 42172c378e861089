import { existsSync, openAsBlob } from "node:fs";
import { join, resolve } from "node:path";

import { InputError } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";

import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { fetchOwnFiles } from "../fetch-from.ts";
import { saveFiles } from "../files.ts";
import { harmless } from "../render/harmless.ts";
import { withRuns } from "../runs.ts";

export interface OpenOptions {
  readonly run: string;
  /** Name of the file, or a part of it; the presentation, or the only file, when absent. */
  readonly file?: string;
  readonly out: string;
}

/** Kinds that show something. A desktop would run others, and agents elsewhere make files too. */
const SHOWN = /\.(?:pptx|pdf|docx|xlsx|csv|tsv|txt|md|json|svg|png|jpe?g|gif|webp)$/i;

/** Saves a file of a run, prints its path, and opens it where there is a desktop. */
export async function open(context: CliContext, options: OpenOptions): Promise<number> {
  const { run, artifacts } = await withRuns(context, (known) => known.show(options.run));
  const file = choose(artifacts, run.runId, options.file);
  const folder = resolve(context.cwd, options.out);
  const { saved, problem } = await saveFiles([file], folder, localFirst(context, file), context.interrupted);
  const [path] = saved.map((one) => one.path);
  if (path === undefined) {
    context.err(harmless(`"${file.name}" could not be saved: ${problem?.message ?? ""}\n`));
    return EXIT.failed;
  }
  context.out(`${path}\n`);
  if (!SHOWN.test(path)) context.err("Files of this kind are saved, not opened.\n");
  else if ((await context.openFile?.(path)) !== true)
    context.err("There is no desktop here to open it on; the path is above.\n");
  return EXIT.completed;
}

function choose<T extends ArtifactRef>(artifacts: readonly T[], runId: string, name: string | undefined): T {
  const names = [...new Set(artifacts.map((one) => `"${one.name}"`))].join(", ");
  if (artifacts.length === 0) throw new InputError("input.not-found", `Run ${runId} made no files.`);
  const wanted = name?.toLowerCase();
  const exact = artifacts.filter((one) => one.name.toLowerCase() === wanted);
  const fitting =
    exact.length > 0 ? exact : artifacts.filter((one) => one.name.toLowerCase().includes(wanted ?? ""));
  const decks = wanted === undefined ? fitting.filter((one) => one.name.endsWith(".pptx")) : [];
  // The same file may be listed by several steps; the last one made it as it is now.
  const candidates = decks.length > 0 ? decks : fitting;
  const last = candidates.at(-1);
  if (last === undefined)
    throw new InputError("input.not-found", `Run ${runId} made no file "${name}". Its files: ${names}.`);
  if (candidates.some((one) => one.name !== last.name))
    throw new InputError("input.invalid", `Run ${runId} made several files. Name one of ${names}.`);
  return last;
}

/** Reads the file from the home folder, also when no server is up, else from its address. */
function localFirst(context: CliContext, file: ArtifactRef): ReturnType<typeof fetchOwnFiles> {
  const kept = join(context.home, "artifacts", file.sha256);
  if (!/^[0-9a-f]{64}$/.test(file.sha256) || !existsSync(kept)) return fetchOwnFiles(context);
  return async () => new Response(await openAsBlob(kept));
}
