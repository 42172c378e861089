import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { InputError } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";
import { normalizeWorkflow, parseWorkflow, type Workflow } from "@troupe/workflow";

import { addedText } from "../added-apps.ts";
import { checkCollections, sayCollections } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { follow, type FollowOptions, type KnownRun } from "../follow.ts";
import { checkInputs } from "../input-names.ts";
import { sayModel } from "../say-model.ts";
import { useServers } from "../servers.ts";

export interface RunOptions extends FollowOptions {
  readonly task: string;
  /** Path of a workflow file; the planner writes one when absent. */
  readonly workflow?: string;
  readonly collection?: string;
  /** The collection is known to be there. */
  readonly checked?: boolean;
}

interface RunMetadata {
  readonly workflow?: Workflow;
}

/** Runs a task or a workflow file and delivers its answer and files. */
export async function run(context: CliContext, options: RunOptions, known: KnownRun): Promise<number> {
  const metadata = requestMetadata(context, options);
  if (options.checked !== true) await checkCollections(context, collectionsOf(options, metadata));
  const request = {
    text: options.task,
    ...(options.collection === undefined ? {} : { collectionId: options.collection }),
    metadata: metadata as JsonObject,
  };
  const servers = await useServers(context);
  try {
    if (options.quiet !== true) {
      await sayModel(context, servers.url);
      // A workflow file says itself what it works on.
      if (options.workflow === undefined && options.collection === undefined) await sayCollections(context);
    }
    const code = await follow(context, servers, request, options, known);
    if (code === EXIT.usage && servers.own === undefined) context.err(addedText(context, servers.url));
    return code;
  } finally {
    await servers.release();
  }
}

function collectionsOf(options: RunOptions, metadata: RunMetadata): readonly string[] {
  const steps = metadata.workflow?.steps.map((step) => step.collection) ?? [];
  return [options.collection, ...steps].filter((name) => name !== undefined);
}

function requestMetadata(context: CliContext, options: RunOptions): RunMetadata {
  if (options.workflow === undefined) return {};
  const file = resolve(context.cwd, options.workflow);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new InputError(
      "input.not-found",
      `The workflow file "${options.workflow}" cannot be read. Check the path.`,
      { cause: error },
    );
  }
  // Checked here, before anything is started; the orchestrator checks the agents' names.
  const workflow = parseWorkflow(text, { file: options.workflow });
  const { steps } = normalizeWorkflow(workflow, { file: options.workflow });
  const fields = steps.flatMap((step) => step.form?.fields ?? []);
  // Where no step asks, an agent may; what it would ask for is not known before.
  if (fields.length > 0) checkInputs(options.inputs, fields);
  return { workflow };
}
