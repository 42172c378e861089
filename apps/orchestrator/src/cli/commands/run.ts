import type { JsonObject } from "@troupe/stream";
import { normalizeWorkflow, type Workflow } from "@troupe/workflow";

import { addedText } from "../added-apps.ts";
import { checkCollections, sayCollections } from "../collections.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { follow, type FollowOptions, type KnownRun } from "../follow.ts";
import { putImages, readImages } from "../images.ts";
import { checkInputs } from "../input-names.ts";
import { readWorkflow } from "../read-workflow.ts";
import { sayModel } from "../say-model.ts";
import { continuing } from "../continuing.ts";
import { useServers } from "../servers.ts";

export interface RunOptions extends FollowOptions {
  readonly task: string;
  /** Path of a workflow file; the planner writes one when absent. */
  readonly workflow?: string;
  readonly collection?: string;
  /** Paths of images that the agents are shown. */
  readonly files?: readonly string[];
  /** The plan waits for a person's word before anything of it runs. */
  readonly approve?: boolean;
  /** Id of the run whose conversation it goes on with, or how it begins; empty for the latest. */
  readonly after?: string;
  /** The collection is known to be there. */
  readonly checked?: boolean;
}

interface RunMetadata {
  readonly approve_plan?: boolean;
  readonly workflow?: Workflow;
}

/** Runs a task or a workflow file and delivers its answer and files. */
export async function run(context: CliContext, options: RunOptions, known: KnownRun): Promise<number> {
  const metadata = requestMetadata(context, options);
  const images = readImages(context, options.files ?? []);
  if (options.checked !== true) await checkCollections(context, collectionsOf(options, metadata));
  const request = {
    text: options.task,
    ...(options.collection === undefined ? {} : { collectionId: options.collection }),
    metadata: metadata as JsonObject,
  };
  const servers = await useServers(context, { quiet: options.quiet === true });
  try {
    if (options.quiet !== true) {
      await sayModel(
        context,
        servers.url,
        images.map(({ name }) => name),
      );
      // A workflow file says itself what it works on, and so does a conversation.
      if (options.workflow === undefined && options.collection === undefined && options.after === undefined)
        await sayCollections(context);
    }
    const shown = await putImages(context, servers.url, images);
    const before = options.after === undefined ? {} : await continuing(context, servers.url, options.after);
    const code = await follow(context, servers, { ...request, ...shown, ...before }, options, known);
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
  const approval = options.approve === true ? { approve_plan: true } : {};
  if (options.workflow === undefined) return approval;
  const workflow = readWorkflow(context, options.workflow);
  const { steps } = normalizeWorkflow(workflow);
  const fields = steps.flatMap((step) => step.form?.fields ?? []);
  // Where no step asks, an agent may; what it would ask for is not known before.
  if (fields.length > 0) checkInputs(options.inputs, fields);
  return { ...approval, workflow };
}
