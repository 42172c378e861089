import { InputError } from "@troupe/core";
import { Command, CommanderError, Option } from "commander";

import { agents } from "./commands/agents.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { ingest } from "./commands/ingest.ts";
import { plan } from "./commands/plan.ts";
import { run, type RunOptions } from "./commands/run.ts";
import { runs } from "./commands/runs.ts";
import { up } from "./commands/up.ts";
import type { CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { parseInputs } from "./inputs.ts";
import { chooseProgress } from "./render/choose-progress.ts";

/**
 * The `troupe` command.
 * @returns its exit code. Throws what a command throws; the caller reports it.
 */
export async function runProgram(context: CliContext, argv: readonly string[]): Promise<number> {
  let code: number = EXIT.completed;
  const does = (command: () => Promise<number>) => async (): Promise<void> => {
    code = await command();
  };
  const program = new Command("troupe")
    .description(
      "Specialist agents that work together: plans a workflow, runs it, answers with sources and files.",
    )
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      "\nState lives in TROUPE_HOME (default .troupe). Exit codes: 0 completed, 1 failed, 2 usage,\n3 partial, 4 input needed, 5 agent unreachable, 130 interrupted.",
    );

  program
    .command("up")
    .description("start all servers and keep them running")
    .option("--free-ports", "take free ports instead of the usual ones", false)
    .action((options: { freePorts: boolean }) => does(() => up(context, options))());

  runFlags(program.command("run").description("run a task, or a workflow from a file"))
    .argument("[task]", "what you want, in words")
    .option("--workflow <file>", "YAML or JSON workflow to run instead of planning one")
    .option("--collection <name>", "documents and data to work on")
    .action((task: string | undefined, flags: RunFlags & { workflow?: string; collection?: string }) =>
      does(() => run(context, { ...runOptions(context, flags), ...what(task, flags) }))(),
    );

  runFlags(program.command("demo").description("make a presentation about the example company")).action(
    (flags: RunFlags) => does(() => demo(context, runOptions(context, flags)))(),
  );

  program
    .command("plan")
    .description("show the workflow that would run, as YAML")
    .argument("<task>", "what you want, in words")
    .option("--collection <name>", "documents and data to work on")
    .action((task: string, flags: { collection?: string }) =>
      does(() => plan(context, { task, ...flags }))(),
    );

  program
    .command("ingest")
    .description("take documents and data into a collection")
    .argument("<paths...>", "files and folders")
    .requiredOption("--collection <name>", "where they go")
    .action((paths: string[], flags: { collection: string }) =>
      does(async () => {
        for (const report of await ingest(context, { paths, ...flags })) context.out(`${report}\n`);
        return EXIT.completed;
      })(),
    );

  program
    .command("agents")
    .description("list the agents and whether they answer")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) => does(() => agents(context, flags))());

  program
    .command("runs")
    .description("list what ran, newest first")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) => does(() => runs(context, flags))());

  program
    .command("doctor")
    .description("show the settings in force and what would stand in the way")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) => does(() => doctor(context, flags))());

  try {
    await program.parseAsync(["node", "troupe", ...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.completed : EXIT.usage;
  }
  return code;
}

interface RunFlags {
  readonly out: string;
  readonly json: boolean;
  readonly input: readonly string[];
  readonly quiet: boolean;
}

function runFlags(command: Command): Command {
  return command
    .addOption(new Option("--out <folder>", "where files go").default("out"))
    .option("--json", "one event a line on stdout, the result last", false)
    .option("--input <name=value>", "answer a form of the workflow; may be repeated", collect, [])
    .option("-q, --quiet", "no progress", false);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function runOptions(context: CliContext, flags: RunFlags): Omit<RunOptions, "task"> {
  return {
    out: flags.out,
    json: flags.json,
    inputs: parseInputs(flags.input),
    progress: chooseProgress(context, flags),
  };
}

function what(
  task: string | undefined,
  flags: { readonly workflow?: string; readonly collection?: string },
): Pick<RunOptions, "task" | "workflow" | "collection"> {
  if ((task === undefined || task.trim() === "") && flags.workflow === undefined) {
    throw new InputError("input.invalid", 'Say what to do: troupe run "..." or troupe run --workflow FILE.');
  }
  return {
    task: task ?? "",
    ...(flags.workflow === undefined ? {} : { workflow: flags.workflow }),
    ...(flags.collection === undefined ? {} : { collection: flags.collection }),
  };
}
