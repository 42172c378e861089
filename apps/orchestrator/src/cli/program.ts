import { Command, CommanderError } from "commander";

import type { EvalOptions } from "./commands/eval.ts";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { FilesOptions } from "./commands/files.ts";
import type { PlanOptions } from "./commands/plan.ts";
import type { CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { dataCommands } from "./program/data-commands.ts";
import { collect, type Does } from "./program/does.ts";
import { keyCommands } from "./program/key-commands.ts";
import { recordCommands } from "./program/record-commands.ts";
import { runCommands } from "./program/run-commands.ts";
import { wireCommands } from "./program/wire-commands.ts";
import { shellWord } from "./typed.ts";
import { programVersion } from "./version.ts";

/** What the command line itself needs; `open` loads the rest once a command is known. */
export interface Shell {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: CliContext["env"];
  readonly open: (options: { readonly tokenFile?: string }) => Promise<CliContext>;
}

const GROUPS: { readonly [heading: string]: readonly string[] } = {
  "Start here:": ["run", "ingest", "open", "up", "doctor"],
  "Runs:": ["demo", "plan", "eval", "runs", "show", "watch", "answer", "cancel", "resume", "retry"],
  "Any A2A agent:": ["capture", "trace", "compare", "conformance"],
};

const OTHERS = "What there is:";

const groupOf = (command: string): string =>
  Object.entries(GROUPS).find(([, names]) => names.includes(command))?.[0] ?? OTHERS;

/**
 * The `troupe` command. Each command is loaded when it is asked for, so `--help` answers at once.
 * @returns its exit code. Throws what a command throws; the caller reports it.
 */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  let code: number = EXIT.completed;
  const does: Does = async (command) => {
    const context = await shell.open(program.opts<{ tokenFile?: string }>());
    const { homeOfParent } = await import("./home.ts");
    const parent = homeOfParent(context);
    if (parent !== undefined)
      context.err(
        `There is no home in this folder, but there is one at ${parent}. To use that one: TROUPE_HOME=${shellWord(parent)}\n`,
      );
    code = await command(context);
  };
  const program = new Command("troupe")
    .description(
      "Specialist agents that work together: plans a workflow, runs it, answers with sources and files.",
    )
    .version(programVersion(), "-V, --version", "print the version")
    .option("--token-file <file>", "read the bearer token for the orchestrator from this file")
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      "\nState lives in TROUPE_HOME (default .troupe). Exit codes: 0 completed, 1 failed, 2 usage,\n3 partial, 4 input needed, 5 agent unreachable, 130 interrupted.",
    );

  runCommands(program, does, shell);

  program
    .command("up")
    .description("start all servers and keep them running")
    .option("--free-ports", "take free ports instead of the usual ones", false)
    .action((options: { freePorts: boolean }) =>
      does(async (context) => (await import("./commands/up.ts")).up(context, options)),
    );

  program
    .command("plan")
    .description("show the workflow that would run, as YAML")
    .argument("[task]", "what you want, in words")
    .option("--collection <name>", "documents and data to work on")
    .option("--save <file>", "write it to this file, which must not be there yet")
    .option("--run <run>", "the plan that this run waits to have approved, in place of a new one")
    .action((task: string | undefined, flags: Omit<PlanOptions, "task">) =>
      does(async (context) => {
        const { plan } = await import("./commands/plan.ts");
        return plan(context, { ...(task === undefined ? {} : { task }), ...flags });
      }),
    );

  program
    .command("eval")
    .description("run the requests of a file, and compare the answers with what the file expects")
    .argument("<file>", "YAML or JSON with the cases")
    .option("--only <case>", "run this case only; may be repeated", collect, [])
    .option("--repeats <number>", "run each case so many times, whatever the file says")
    .option("--json <file>", "write the results to this file as JSON")
    .option("--junit <file>", "write the results to this file as JUnit XML")
    .option("-q, --quiet", "only the table", false)
    .action((file: string, flags: Omit<EvalOptions, "file">) =>
      does(async (context) => (await import("./commands/eval.ts")).evaluate(context, { file, ...flags })),
    );

  dataCommands(program, does);

  program
    .command("agents")
    .description("list the agents and whether they answer")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/agents.ts")).agents(context, flags)),
    );

  recordCommands(program, does);

  program
    .command("files")
    .description("show what the files of the home folder take, and delete old ones")
    .option("--older-than <time>", "those that were made longer ago, such as 30d")
    .option("--max-size <size>", "the oldest, until so much is left, such as 10GB")
    .option("--delete", "delete them, rather than show them", false)
    .option("--new-link-key", "sign links to files with a new key", false)
    .option("--revoke-links", "end every link to a file that was given out", false)
    .option("--json", "as JSON", false)
    .action((flags: FilesOptions) =>
      does(async (context) => (await import("./commands/files.ts")).files(context, flags)),
    );

  program
    .command("doctor")
    .description("check that everything is ready to run")
    .option("--settings", "list every setting and its origin too", false)
    .option("--json", "checks and settings as JSON", false)
    .action((flags: DoctorOptions) =>
      does(async (context) => (await import("./commands/doctor.ts")).doctor(context, flags)),
    );

  keyCommands(program, does);
  wireCommands(program, does);
  program.commandsGroup(OTHERS).helpCommand(true);
  for (const command of program.commands) command.helpGroup(groupOf(command.name()));

  try {
    await program.parseAsync(["node", "troupe", ...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.completed;
    if (wantsResult(argv)) {
      const { unusableLine } = await import("./result-line.ts");
      shell.out(unusableLine(error.message));
    }
    return EXIT.usage;
  }
  return code;
}

/** Whether a command line that cannot be read is one whose last line is a result. */
function wantsResult(argv: readonly string[]): boolean {
  const command = argv.find((word) => !word.startsWith("-")) ?? "";
  return argv.includes("--json") && ["run", "demo", "answer", "resume", "retry", "watch"].includes(command);
}
