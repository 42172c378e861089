import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createPrivate } from "@troupe/service";
import type { Json } from "@troupe/stream";
import { describeRun, foldRun, type RunDetail, type RunExport, type RunView } from "@troupe/workflow";

import { readRunExport } from "../adapters/read-run-export.ts";
import { unservedView } from "../orchestrator/interruption.ts";
import type { CliContext } from "./context.ts";

const folderOf = (home: string): string => join(home, "imported");
/** Its id is a stranger's word, and no name for a file. */
const nameOf = (runId: string): string => createHash("sha256").update(runId).digest("hex").slice(0, 40);

/** Keeps an export in the home folder. False when that run was imported before. */
export function keepImported({ home, clock }: CliContext, exported: RunExport): boolean {
  const path = join(folderOf(home), nameOf(exported.run.runId));
  if (!createPrivate(`${path}.json`, JSON.stringify(exported))) return false;
  // What lists look at, so that they need not read the whole of each.
  const view: RunView = { ...unservedView(foldRun(exported.run, exported.events)), importedAt: clock.now() };
  createPrivate(`${path}.view.json`, JSON.stringify(view));
  return true;
}

/** Newest first. */
export function importedViews({ home }: CliContext): readonly RunView[] {
  const folder = folderOf(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".view.json"))
    .flatMap((name) => readView(join(folder, name)))
    .toSorted((one, other) => (other.importedAt ?? 0) - (one.importedAt ?? 0));
}

/** None where it is damaged: the others are still listed. */
function readView(file: string): readonly RunView[] {
  try {
    return [JSON.parse(readFileSync(file, "utf8")) as RunView];
  } catch {
    return [];
  }
}

/** The one with this id, or the only one whose id begins like it. */
export function findImported(context: CliContext, id: string): RunView | undefined {
  const views = importedViews(context);
  const exact = views.find(({ runId }) => runId === id);
  const [only, ...others] = views.filter(({ runId }) => id !== "" && runId.startsWith(id));
  return exact ?? (others.length === 0 ? only : undefined);
}

export function readImported({ home }: CliContext, runId: string): RunExport {
  return readRunExport(join(folderOf(home), `${nameOf(runId)}.json`));
}

export function describeImported(context: CliContext, view: RunView): RunDetail {
  const { spec, input, outcome, signals, events } = readImported(context, view.runId);
  const recorded = {
    spec,
    input: JSON.parse(JSON.stringify(input)) as Json,
    outcome,
    signals: new Map(Object.entries(signals)),
  };
  return describeRun({ view, events, recorded });
}
