import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { InputError, StoreError } from "@troupe/core";
import { playbookModel } from "@troupe/playbook";
import { readCollectionRules } from "@troupe/service";

import { chooseModels } from "../../server/choose-models.ts";
import { authIsOn } from "../auth-is-on.ts";
import type { CliContext } from "../context.ts";
import type { KnownRun } from "../follow.ts";
import { loadSettings } from "../load-settings.ts";
import { useServers } from "../servers.ts";
import { ingest } from "./ingest.ts";
import { run, type RunOptions } from "./run.ts";

/** The main job on the example company. */
export const DEMO_TASK =
  "Create a presentation about Norrvik's AI strategy based on our documents, with its sales figures";
export const DEMO_COLLECTION = "norrvik";

export interface DemoOptions extends Omit<RunOptions, "task" | "collection"> {
  /** Runs on the built-in rules instead of the recording; a model that is set comes first. */
  readonly playbook: boolean;
}

/**
 * Ingests the example company's documents and data and makes a presentation of them: with the model that is set, else
 * with recorded answers, against live servers, tools and checks.
 */
export async function demo(
  given: CliContext,
  { playbook, ...options }: DemoOptions,
  known: KnownRun,
): Promise<number> {
  const context = playbook || hasModel(given) ? given : withRecordedAnswers(given);
  const examples = join(context.appsRoot, "..", "examples", "norrvik");
  if (!existsSync(examples)) {
    throw new InputError(
      "input.not-found",
      `The example documents are not at "${examples}". Run this in a checkout of the repository.`,
    );
  }
  makeData(examples);
  // Servers start while the documents are read: neither waits for the other.
  const [servers] = await Promise.all([
    useServers(context, { quiet: options.quiet === true }),
    ingest(context, {
      paths: [join(examples, "documents"), join(examples, "data")],
      collection: DEMO_COLLECTION,
      ...sharedWithAll(context),
    }).then(({ reports }) => reports.forEach((report) => context.err(`${report.split("\n", 1)[0]}\n`))),
  ]);
  try {
    context.err(`\n${DEMO_TASK}\n\n`);
    const asked = { task: DEMO_TASK, collection: DEMO_COLLECTION, checked: true };
    return await run(context, { ...options, ...asked }, known);
  } finally {
    await servers.release();
  }
}

/** Whether a model or a recording is set. True for invalid settings, which starting the servers reports. */
function hasModel(context: CliContext): boolean {
  const { clock, log } = context;
  try {
    const { value } = loadSettings(context);
    return chooseModels(value, { embedded: playbookModel(), clock, log }).model.kind !== "playbook";
  } catch {
    return true;
  }
}

function withRecordedAnswers(context: CliContext): CliContext {
  const file = join(context.appsRoot, "..", "examples", "recordings", "main-job.jsonl");
  return { ...context, env: { ...context.env, TROUPE_REPLAY: file } };
}

function makeData(examples: string): void {
  if (existsSync(join(examples, "data", "sales.csv"))) return;
  const script = join(examples, "make", "generate-data.mjs");
  const { status } = spawnSync(process.execPath, [script], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new StoreError("store.io", `"${script}" could not write the example data.`);
}

/** Where users need a rule to read anything, the example is for everyone unless somebody has shared it otherwise. */
function sharedWithAll(context: CliContext): { readonly owner?: string; readonly readers?: string } {
  const needed = authIsOn(context) && !readCollectionRules(context.home).has(DEMO_COLLECTION);
  return needed ? { owner: "demo", readers: "everyone" } : {};
}
