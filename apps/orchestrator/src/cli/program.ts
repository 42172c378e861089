import { readFileSync } from "node:fs";

import { InputError } from "@troupe/core/errors";
import { Command, CommanderError, Option } from "commander";

import type { CaptureFlags } from "./capture/request.ts";
import type { AnswerOptions } from "./commands/answer.ts";
import type { ConformanceCommand } from "./commands/conformance.ts";
import type { FilesOptions } from "./commands/files.ts";
import type { RunOptions } from "./commands/run.ts";
import type { CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import type { FollowOptions, KnownRun } from "./follow.ts";
import { typed } from "./typed.ts";

/** What the command line itself needs; `open` loads the rest once a command is known. */
export interface Shell {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: CliContext["env"];
  readonly open: (options: { readonly tokenFile?: string }) => Promise<CliContext>;
}

/**
 * The `troupe` command. Each command is loaded when it is asked for, so `--help` answers at once.
 * @returns its exit code. Throws what a command throws; the caller reports it.
 */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  let code: number = EXIT.completed;
  const does = async (command: (context: CliContext) => Promise<number>): Promise<void> => {
    code = await command(await shell.open(program.opts<{ tokenFile?: string }>()));
  };
  const follows = (
    flags: RunFlags,
    command: (context: CliContext, options: FollowOptions, known: KnownRun) => Promise<number>,
  ): Promise<void> =>
    does(async (context) => {
      const { withResultLine } = await import("./result-line.ts");
      return withResultLine(context, flags, async (known) =>
        command(context, await runOptions(context, flags), known),
      );
    });
  const program = new Command("troupe")
    .description(
      "Specialist agents that work together: plans a workflow, runs it, answers with sources and files.",
    )
    .version(version(), "-V, --version", "print the version")
    .option("--token-file <file>", "show what stands in this file to an orchestrator that asks who calls")
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      "\nState lives in TROUPE_HOME (default .troupe). Exit codes: 0 completed, 1 failed, 2 usage,\n3 partial, 4 input needed, 5 agent unreachable, 130 interrupted.",
    );

  program
    .command("up")
    .description("start all servers and keep them running")
    .option("--free-ports", "take free ports instead of the usual ones", false)
    .action((options: { freePorts: boolean }) =>
      does(async (context) => (await import("./commands/up.ts")).up(context, options)),
    );

  runFlags(program.command("run").description("run a task, or a workflow from a file"))
    .argument("[task]", "what you want, in words")
    .option("--workflow <file>", "YAML or JSON workflow to run instead of planning one")
    .option("--collection <name>", "documents and data to work on")
    .action((task: string | undefined, flags: RunFlags & { workflow?: string; collection?: string }) =>
      follows(flags, async (context, options, known) => {
        const asked = what(shell, task, flags);
        const { run } = await import("./commands/run.ts");
        return run(context, { ...options, ...asked }, known);
      }),
    );

  runFlags(program.command("demo").description("make a presentation about the example company")).action(
    (flags: RunFlags) =>
      follows(flags, async (context, options, known) => {
        const { demo } = await import("./commands/demo.ts");
        return demo(context, options, known);
      }),
  );

  program
    .command("plan")
    .description("show the workflow that would run, as YAML")
    .argument("<task>", "what you want, in words")
    .option("--collection <name>", "documents and data to work on")
    .action((task: string, flags: { collection?: string }) =>
      does(async (context) => (await import("./commands/plan.ts")).plan(context, { task, ...flags })),
    );

  program
    .command("ingest")
    .description("take documents and data into a collection")
    .argument("<paths...>", "files and folders")
    .requiredOption("--collection <name>", "where they go")
    .option("--prune", "forget what of the collection does not stand in these folders", false)
    .action((paths: string[], flags: { collection: string; prune: boolean }) =>
      does(async (context) => {
        const { ingest } = await import("./commands/ingest.ts");
        const { reports, complete } = await ingest(context, { paths, ...flags });
        for (const report of reports) context.out(`${report}\n`);
        return complete ? EXIT.completed : EXIT.partial;
      }),
    );

  program
    .command("collections")
    .description("list what was taken in: documents and tables")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/collections.ts")).collections(context, flags)),
    );

  program
    .command("agents")
    .description("list the agents and whether they answer")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/agents.ts")).agents(context, flags)),
    );

  program
    .command("runs")
    .description("list what ran, newest first")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/runs.ts")).runs(context, flags)),
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
        const { answer } = await import("./commands/answer.ts");
        const asked = step === undefined ? { run: id } : { run: id, step };
        return answer(context, { ...options, ...asked, ...(await verdictOf(flags)) }, known);
      }),
    );

  program
    .command("cancel")
    .description("end a run that works, waits or was interrupted")
    .argument("<run>", "id of the run, or how it begins")
    .action((id: string) =>
      does(async (context) => (await import("./commands/cancel.ts")).cancel(context, { run: id })),
    );

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
    .description("show the settings in force and what would stand in the way")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/doctor.ts")).doctor(context, flags)),
    );

  const keys = program.command("keys").description("API keys of those who may call");
  keys
    .command("add")
    .description("make a key and show it, once")
    .argument("<name>", "what people call it")
    .requiredOption("--user <id>", "whose tasks, runs and files it is for")
    .addOption(
      new Option(
        "--scopes <list>",
        "what it may be used for: agent:NAME, metrics, or * for everything",
      ).default("*"),
    )
    .action((name: string, flags: { user: string; scopes: string }) =>
      does(async (context) => (await import("./commands/keys.ts")).addApiKey(context, { name, ...flags })),
    );
  keys
    .command("list")
    .description("list the keys, without what is secret of them")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/keys.ts")).listApiKeys(context, flags)),
    );
  keys
    .command("revoke")
    .description("end a key")
    .argument("<key>", "its name or its id")
    .action((key: string) =>
      does(async (context) => (await import("./commands/keys.ts")).revokeApiKey(context, key)),
    );

  captureFlags(
    program.command("capture").description("save what any A2A agent answers, each event with its time"),
  )
    .argument("<url>", "address of the agent, or of its card")
    .argument("<question>", "what to ask, in words")
    .addOption(outFile("where it goes, - for stdout; by default capture.ndjson, or the next free name"))
    .action((url: string, question: string, flags: CaptureFlags & { out?: string }) =>
      does(async (context) => {
        const { capture } = await import("./commands/capture.ts");
        return capture(context, { ...flags, url, question });
      }),
    );

  captureFlags(
    program.command("trace").description("show the timeline of a capture, or of a question asked now"),
  )
    .argument("<source>", "a capture file, or the address of an agent")
    .argument("[question]", "what to ask the agent, in words")
    .addOption(outFile("save the capture as well"))
    .option("--json", "as JSON", false)
    .action(
      (source: string, question: string | undefined, flags: CaptureFlags & { out?: string; json: boolean }) =>
        does(async (context) => {
          const { trace } = await import("./commands/trace.ts");
          return trace(context, { ...flags, source, ...(question === undefined ? {} : { question }) });
        }),
    );

  program
    .command("compare")
    .description("show two captures, or two traces in JSON, side by side")
    .argument("<a>", "a file")
    .argument("<b>", "another")
    .option("--json", "as JSON", false)
    .action((a: string, b: string, flags: { json: boolean }) =>
      does(async (context) => (await import("./commands/compare.ts")).compare(context, { a, b, ...flags })),
    );

  program
    .command("conformance")
    .description("try an agent on all that A2A asks of a server")
    .argument("<url>", "address of the agent, or of its card")
    .option("--header <name:value>", "send this header; may be repeated", collect, [])
    .option(
      "--auth-env <variable>",
      "who calls: send the value of this variable as Authorization; HEADER=VARIABLE as HEADER",
    )
    .addOption(new Option("--binding <binding>", "try this binding only").choices(["jsonrpc", "rest"]))
    .option("--only <id>", "try this requirement only; may be repeated", collect, [])
    .option("--expected <file>", "failures that are known, with reasons, in YAML or JSON")
    .option(
      "--prompt <name=text>",
      "what to ask so that the agent does what is tried; may be repeated",
      collect,
      [],
    )
    .option("--timeout <seconds>", "for one requirement, 60 by default")
    .option("--json", "as JSON", false)
    .action((url: string, flags: Omit<ConformanceCommand, "url">) =>
      does(async (context) => {
        const { conformance } = await import("./commands/conformance.ts");
        return conformance(context, { ...flags, url });
      }),
    );

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

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

/** Whether a command line that cannot be read is one whose last line is a result. */
function wantsResult(argv: readonly string[]): boolean {
  const command = argv.find((word) => !word.startsWith("-")) ?? "";
  return argv.includes("--json") && ["run", "demo", "answer"].includes(command);
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

function captureFlags(command: Command): Command {
  return command
    .option("--collection <name>", "documents and data to work on, for agents of Troupe")
    .option("--header <name:value>", "send this header; may be repeated", collect, [])
    .option(
      "--auth-env <variable>",
      "send the value of this variable as Authorization; HEADER=VARIABLE as HEADER",
    )
    .addOption(
      new Option("--protocol <version>", "take this protocol; URL may be the endpoint then").choices([
        "1.0",
        "0.3",
      ]),
    )
    .addOption(new Option("--binding <binding>", "take this binding").choices(["jsonrpc", "rest"]));
}

const outFile = (meaning: string): Option => new Option("--out <file>", meaning);

interface VerdictFlags {
  readonly approve?: true;
  readonly reject?: string;
  readonly edit: readonly string[];
}

async function verdictOf({ approve, reject, edit }: VerdictFlags): Promise<Pick<AnswerOptions, "verdict">> {
  if (approve === undefined && reject === undefined && edit.length === 0) return {};
  const { parseEdits } = await import("./decide.ts");
  const edits = parseEdits(edit);
  if (reject !== undefined) return { verdict: { edits, rest: { type: "reject", reason: reject } } };
  return { verdict: { edits, ...(approve === true ? { rest: { type: "approve" } } : {}) } };
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function runOptions(context: CliContext, flags: RunFlags): Promise<FollowOptions> {
  const [{ parseInputs }, { chooseProgress }] = await Promise.all([
    import("./inputs.ts"),
    import("./render/choose-progress.ts"),
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
  shell: Shell,
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
