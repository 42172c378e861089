import { InputError, momentText } from "@troupe/core";

import { MAX_RUNS, readStatus } from "../../server/runs-query.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless, oneLine } from "../render/harmless.ts";
import { answeredText } from "../render/answered-text.ts";
import { withRuns } from "../runs.ts";
import { typed } from "../typed.ts";
import { answerCommands, until } from "../waiting.ts";

export interface RunsOptions {
  readonly json: boolean;
  /** Names of states; all when empty. */
  readonly status: readonly string[];
  readonly limit: string;
  /** Id of a run, or how it begins: only those older than it. */
  readonly before?: string;
}

/** Characters of a task that are shown; a name has no more. */
const LONGEST = 200;
/** As many are shown on a narrow terminal too. */
const MIN_TASK = 20;

/** What ran, newest first. Works with and without running servers. */
export async function runs(context: CliContext, options: RunsOptions): Promise<number> {
  const status = options.status.flatMap((names) => names.split(",")).map((name) => readStatus(name.trim()));
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RUNS)
    throw new InputError("input.invalid", `--limit "${options.limit}" is no number from 1 to ${MAX_RUNS}.`);
  const views = await withRuns(context, async (known) => {
    const before = options.before === undefined ? undefined : (await known.find(options.before)).runId;
    return known.list({
      limit,
      ...(status.length === 0 ? {} : { status }),
      ...(before === undefined ? {} : { before }),
    });
  });
  if (options.json) {
    context.out(`${JSON.stringify(views)}\n`);
    return EXIT.completed;
  }
  const all = status.length === 0 && options.before === undefined;
  if (views.length === 0) context.out(all ? "No runs yet.\n" : "No such runs.\n");
  for (const view of views) {
    const state = view.status === "input-required" ? "waiting" : view.status;
    const when = momentText(view.createdAt, "second");
    const imported = view.importedAt === undefined ? "" : "imported: ";
    // A workflow that was handed in without a task and refused leaves a run with neither; why stands below.
    const what = `${imported}${oneLine(view.objective || view.name) || "(no task)"}`;
    const before = `${view.runId}  ${when}  ${state.padEnd(14)}  `;
    const width = (context.screen?.().columns ?? Infinity) - before.length;
    context.out(harmless(`${before}${wholeWords(what, Math.min(LONGEST, Math.max(width, MIN_TASK)))}\n`));
    if (view.reason !== undefined && (view.steps.length === 0 || view.status === "interrupted"))
      context.out(`    ${harmless(view.reason).replaceAll("\n", "\n      ")}\n`);
    for (const step of view.steps) {
      const reason = step.reason === undefined ? "" : `: ${oneLine(step.reason)}`;
      const state = step.state.replace("_", " ");
      context.out(
        harmless(
          `    ${step.id}  ${oneLine(step.agent) || "person"}  ${state}${reason}${answeredText(step)}\n`,
        ),
      );
    }
    for (const asked of view.importedAt === undefined ? view.requests : []) {
      if (asked.request.expiresAt !== undefined)
        context.out(`  "${harmless(asked.request.requestId)}" can be answered${until(asked.request)}:\n`);
      for (const line of answerCommands(context, view.runId, asked)) context.out(`  ${line}\n`);
    }
  }
  const last = views.length === limit ? views.at(-1) : undefined;
  if (last !== undefined) context.err(`Older ones: ${typed(context, `runs --before ${last.runId}`)}\n`);
  return EXIT.completed;
}

/** At most `max` characters, cut between words; within one only where it is longer than that. */
function wholeWords(text: string, max: number): string {
  const all = Array.from(text);
  if (all.length <= max) return text;
  const room = all.slice(0, max - 2).join("");
  const cut = room.lastIndexOf(" ");
  return `${cut > 0 ? room.slice(0, cut) : room.slice(0, -1)}...`;
}
