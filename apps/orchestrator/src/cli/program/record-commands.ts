import { Option, type Command } from "commander";

import type { RunsOptions } from "../commands/runs.ts";
import { collect, type Does } from "./does.ts";

/** Adds what looks at runs on record: `runs` with `export`, `import` and `replay`, `show`, `open`, and `cancel`. */
export function recordCommands(program: Command, does: Does): void {
  const runs = program
    .command("runs")
    .description("list what ran, newest first")
    .option("--status <state>", "only those in this state, such as waiting; may be repeated", collect, [])
    .option("--limit <number>", "at most so many", "100")
    .option("--before <run>", "only those older than this one")
    .option("--json", "as JSON", false)
    .action((flags: RunsOptions) =>
      does(async (context) => (await import("../commands/runs.ts")).runs(context, flags)),
    );
  runs
    .command("export")
    .description("write a run to one file, without secrets, for somebody who looks into it")
    .argument("<run>", "id of the run, or how it begins")
    .option(
      "--out <file>",
      "where it goes, written anew; - is stdout (default: run-ID.json, if there is none)",
    )
    .action((run: string, flags: { out?: string }) =>
      does(async (context) =>
        (await import("../commands/export-run.ts")).exportRun(context, { run, ...flags }),
      ),
    );
  runs
    .command("import")
    .description("take in a run that was exported elsewhere, to look at it")
    .argument("<file>", "what export wrote")
    .action((file: string) =>
      does(async (context) => (await import("../commands/import-run.ts")).importRun(context, { file })),
    );
  runs
    .command("replay")
    .description("run the workflow driver again over recorded answers, and say where it does otherwise")
    .argument("<run>", "what export wrote, or the id of a run, or how that begins")
    .option("--json", "as JSON", false)
    // The list above has a flag of that name too, and takes it wherever it stands.
    .action((run: string, _flags: object, command: Command) =>
      does(async (context) => {
        const { replay } = await import("../commands/replay-run.ts");
        return replay(context, { run, ...command.optsWithGlobals<{ json: boolean }>() });
      }),
    );

  program
    .command("show")
    .description("show one run: its steps with what they were given and took, questions, sources, files")
    .argument("<run>", "id of the run, or how it begins")
    .option("--json", "as JSON", false)
    .action((run: string, flags: { json: boolean }) =>
      does(async (context) => (await import("../commands/show.ts")).show(context, { run, ...flags })),
    );

  program
    .command("open")
    .description("open a file that a run made, such as its presentation")
    .argument("<run>", "id of the run, or how it begins")
    .argument("[file]", "name of the file or a part of it, where the run made several")
    .addOption(new Option("--out <folder>", "where the file goes").default("out"))
    .action((run: string, file: string | undefined, flags: { out: string }) =>
      does(async (context) => {
        const { open } = await import("../commands/open.ts");
        return open(context, { run, ...(file === undefined ? {} : { file }), ...flags });
      }),
    );

  program
    .command("cancel")
    .description("end a run that works, waits or was interrupted")
    .argument("<run>", "id of the run, or how it begins")
    .action((id: string) =>
      does(async (context) => (await import("../commands/cancel.ts")).cancel(context, { run: id })),
    );
}
