import type { CliContext } from "../context.ts";
import { EXIT, exitCodeOf } from "../exit-codes.ts";
import { connect } from "../follow.ts";
import { useServers } from "../servers.ts";

export interface PlanOptions {
  readonly task: string;
  readonly collection?: string;
}

/** Prints the workflow that would run, as YAML that `run --workflow` takes. */
export async function plan(context: CliContext, options: PlanOptions): Promise<number> {
  const servers = await useServers(context);
  try {
    const remote = await connect(context, servers.url);
    const request = {
      text: options.task,
      ...(options.collection === undefined ? {} : { collectionId: options.collection }),
      metadata: { plan_only: true },
    };
    for await (const event of remote.stream(request, { signal: context.interrupted })) {
      if (event.type !== "finish" || event.stepId !== undefined) continue;
      if (event.outcome === "completed") context.out(event.response.content);
      else context.err(`${event.error?.message ?? "There is no plan for this."}\n`);
      return exitCodeOf(event.outcome, event.error?.code);
    }
    return EXIT.failed;
  } finally {
    await servers.release();
  }
}
