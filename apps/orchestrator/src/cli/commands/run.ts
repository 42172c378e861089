import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { InputError } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";
import { normalizeWorkflow, parseWorkflow, type Workflow } from "@troupe/workflow";

import { checkCollections } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { follow, type FollowOptions } from "../follow.ts";
import { withResultLine } from "../result-line.ts";
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
export function run(context: CliContext, options: RunOptions): Promise<number> {
  return withResultLine(context, options, async (known) => {
    const metadata = requestMetadata(context, options);
    if (options.checked !== true) await checkCollections(context, collectionsOf(options, metadata));
    const request = {
      text: options.task,
      ...(options.collection === undefined ? {} : { collectionId: options.collection }),
      metadata: metadata as JsonObject,
    };
    const servers = await useServers(context);
    try {
      return await follow(context, servers, request, options, known);
    } finally {
      await servers.release();
    }
  });
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
  normalizeWorkflow(workflow, { file: options.workflow });
  return { workflow };
}
