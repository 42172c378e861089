import { InputError } from "@troupe/core/errors";
import { Option, type Command } from "commander";

import type { AnswerOptions } from "../commands/answer.ts";
import type { RunOptions } from "../commands/run.ts";
import type { WatchOptions } from "../commands/watch.ts";
import type { CliContext } from "../context.ts";
import type { FollowOptions, KnownRun } from "../follow.ts";
import { typed } from "../typed.ts";
import { collect, type Does } from "./does.ts";

interface RunFlags {
  readonly out: string;
  readonly json: boolean;
  readonly input: readonly string[];
  readonly quiet: boolean;
}

/** Adds what follows a run to its end: `run`, `demo`, `answer`, `resume`, `retry`, `watch`. */
export function runCommands(program: Command, does: Does, shell: Pick<CliContext, "env">): void {
  const follows = (
    flags: RunFlags,
    command: (context: CliContext, options: FollowOptions, known: KnownRun) => Promise<number>,
  ): Promise<void> =>
    does(async (context) => {
      const { withResultLine } = await import("../result-line.ts");
      return withResultLine(context, flags, async (known) =>
        command(context, await runOptions(context, flags), known),
      );
    });

  runFlags(program.command("run").description("run a task, or a workflow from a file"))
    .argument("[task]", "what you want, in words")
    .option("--workflow <file>", "YAML or JSON workflow to run instead of planning one")
    .option("--collection <name>", "documents and data to work on")
    .option("--file <image>", "an image that the agents are shown; may be repeated", collect, [])
    .option("--approve", "show the plan, and run nothing before it is approved")
    .option(
      "--continue",
      "go on with the conversation of the latest run, as in: run --continue 'make it shorter'",
    )
    .addOption(new Option("--after <run>", "go on with the conversation of this run").conflicts("continue"))
    .action((task: string | undefined, flags: RunFlags & WhatFlags) =>
      follows(flags, async (context, options, known) => {
        const asked = what(shell, task, flags);
        const { run } = await import("../commands/run.ts");
        return run(context, { ...options, ...asked }, known);
      }),
    );

  runFlags(program.command("demo").description("make a presentation about the example company"))
    .option("--playbook", "if no model is set, use the built-in rules instead of a model's recorded answers")
    .action((flags: RunFlags & { playbook?: boolean }) =>
      follows(flags, async (context, options, known) => {
        const { demo } = await import("../commands/demo.ts");
        return demo(context, { ...options, playbook: flags.playbook ?? false }, known);
      }),
    );

  runFlags(program.command("answer").description("answer what a run asks, and follow it to its end"))
    .argument("<run>", "id of the run, or how it begins")
    .argument("[step]", "the step that asks, where several do")
    .addOption(
      new Option(
        "--approve",
        "let the plan be run, or the tool calls be made, that are asked about",
      ).conflicts("reject"),
    )
    .option("--reject <reason>", "do not, and say why")
    .addOption(
      new Option("--edit <call=json>", "let one be made with these arguments; may be repeated")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--workflow <file>", "run this workflow in place of the plan that is asked about").conflicts(
        ["approve", "reject", "edit"],
      ),
    )
    .action((id: string, step: string | undefined, flags: RunFlags & VerdictFlags) =>
      follows(flags, async (context, options, known) => {
        const { answer } = await import("../commands/answer.ts");
        const asked = step === undefined ? { run: id } : { run: id, step };
        return answer(context, { ...options, ...asked, ...(await verdictOf(context, flags)) }, known);
      }),
    );

  runFlags(program.command("resume").description("go on with a run that was interrupted, and follow it"))
    .argument("<run>", "id of the run, or how it begins")
    .action((id: string, flags: RunFlags) =>
      follows(flags, async (context, options, known) => {
        const { resume } = await import("../commands/resume.ts");
        return resume(context, { ...options, run: id }, known);
      }),
    );

  runFlags(
    program.command("retry").description("do a run again from a step on, keeping the results before it"),
  )
    .argument("<run>", "id of the run, or how it begins")
    .option("--from <step>", "the step to begin again from; the first that failed when not given")
    .action((id: string, flags: RunFlags & { from?: string }) =>
      follows(flags, async (context, options, known) => {
        const { retry } = await import("../commands/retry.ts");
        const from = flags.from === undefined ? {} : { from: flags.from };
        return retry(context, { ...options, ...from, run: id }, known);
      }),
    );

  program
    .command("watch")
    .description("show a run from any of its events on, and change nothing of it")
    .argument("<run>", "id of the run, or how it begins")
    .option("--from <position>", "position of the first event to show", "0")
    .option("--out <folder>", "save its files there")
    .option("--json", "one event a line on stdout, with its position; the result last", false)
    .option("-q, --quiet", "no progress", false)
    .action((run: string, flags: Omit<WatchOptions, "run" | "progress">) =>
      does(async (context) => {
        const [{ withResultLine }, { chooseProgress }, { watch }] = await Promise.all([
          import("../result-line.ts"),
          import("../render/choose-progress.ts"),
          import("../commands/watch.ts"),
        ]);
        const progress = chooseProgress(context, flags);
        return withResultLine(context, flags, (known) => watch(context, { ...flags, run, progress }, known));
      }),
    );
}

function runFlags(command: Command): Command {
  return command
    .addOption(new Option("--out <folder>", "where files go").default("out"))
    .option("--json", "one event a line on stdout, the result last", false)
    .option("--input <name=value>", "answer a form of the workflow; may be repeated", collect, [])
    .option("-q, --quiet", "no progress", false);
}

interface VerdictFlags {
  readonly approve?: true;
  readonly reject?: string;
  readonly edit: readonly string[];
  readonly workflow?: string;
}

async function verdictOf(
  context: CliContext,
  { approve, reject, edit, workflow }: VerdictFlags,
): Promise<Pick<AnswerOptions, "verdict">> {
  if (workflow !== undefined) {
    const { readWorkflow } = await import("../read-workflow.ts");
    return { verdict: { workflow: readWorkflow(context, workflow) } };
  }
  if (approve === undefined && reject === undefined && edit.length === 0) return {};
  const { parseEdits } = await import("../decide.ts");
  const edits = parseEdits(edit);
  if (reject !== undefined) return { verdict: { edits, rest: { type: "reject", reason: reject } } };
  return { verdict: { edits, ...(approve === true ? { rest: { type: "approve" } } : {}) } };
}

async function runOptions(context: CliContext, flags: RunFlags): Promise<FollowOptions> {
  const [{ parseInputs }, { chooseProgress }] = await Promise.all([
    import("../inputs.ts"),
    import("../render/choose-progress.ts"),
  ]);
  return {
    out: flags.out,
    json: flags.json,
    quiet: flags.quiet,
    inputs: parseInputs(flags.input),
    progress: chooseProgress(context, flags),
  };
}

interface WhatFlags {
  readonly approve?: true;
  readonly workflow?: string;
  readonly collection?: string;
  readonly file: readonly string[];
  readonly continue?: true;
  readonly after?: string;
}

function what(
  shell: Pick<CliContext, "env">,
  task: string | undefined,
  flags: WhatFlags,
): Pick<RunOptions, "task" | "workflow" | "collection" | "files" | "approve" | "after"> {
  if ((task === undefined || task.trim() === "") && flags.workflow === undefined) {
    throw new InputError(
      "input.invalid",
      `Say what to do: ${typed(shell, 'run "..."')} or ${typed(shell, "run --workflow FILE")}.`,
    );
  }
  return {
    task: task ?? "",
    ...(flags.workflow === undefined ? {} : { workflow: flags.workflow }),
    ...(flags.collection === undefined ? {} : { collection: flags.collection }),
    files: flags.file,
    ...(flags.approve === undefined ? {} : { approve: flags.approve }),
    ...(flags.continue === true ? { after: "" } : flags.after === undefined ? {} : { after: flags.after }),
  };
}
