import { InputError } from "@troupe/core/errors";
import { Option, type Command } from "commander";

import type { AnswerOptions } from "../commands/answer.ts";
import type { RunOptions } from "../commands/run.ts";
import type { CliContext } from "../context.ts";
import type { FollowOptions, KnownRun } from "../follow.ts";
import type { Shell } from "../program.ts";
import { typed } from "../typed.ts";
import { collect, type Does } from "./does.ts";

interface RunFlags {
  readonly out: string;
  readonly json: boolean;
  readonly input: readonly string[];
  readonly quiet: boolean;
}

/** Adds what follows a run to its end: `run`, `demo`, `answer`. */
export function runCommands(program: Command, does: Does, shell: Pick<Shell, "env">): void {
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
    .action((task: string | undefined, flags: RunFlags & { workflow?: string; collection?: string }) =>
      follows(flags, async (context, options, known) => {
        const asked = what(shell, task, flags);
        const { run } = await import("../commands/run.ts");
        return run(context, { ...options, ...asked }, known);
      }),
    );

  runFlags(program.command("demo").description("make a presentation about the example company")).action(
    (flags: RunFlags) =>
      follows(flags, async (context, options, known) => {
        const { demo } = await import("../commands/demo.ts");
        return demo(context, options, known);
      }),
  );

  runFlags(program.command("answer").description("answer what a run asks, and follow it to its end"))
    .argument("<run>", "id of the run, or how it begins")
    .argument("[step]", "the step that asks, where several do")
    .addOption(new Option("--approve", "let the tool calls that are asked about be made").conflicts("reject"))
    .option("--reject <reason>", "do not, and say why")
    .addOption(
      new Option("--edit <call=json>", "let one be made with these arguments; may be repeated")
        .argParser(collect)
        .default([], "none"),
    )
    .action((id: string, step: string | undefined, flags: RunFlags & VerdictFlags) =>
      follows(flags, async (context, options, known) => {
        const { answer } = await import("../commands/answer.ts");
        const asked = step === undefined ? { run: id } : { run: id, step };
        return answer(context, { ...options, ...asked, ...(await verdictOf(flags)) }, known);
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
}

async function verdictOf({ approve, reject, edit }: VerdictFlags): Promise<Pick<AnswerOptions, "verdict">> {
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

function what(
  shell: Pick<Shell, "env">,
  task: string | undefined,
  flags: { readonly workflow?: string; readonly collection?: string },
): Pick<RunOptions, "task" | "workflow" | "collection"> {
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
  };
}
