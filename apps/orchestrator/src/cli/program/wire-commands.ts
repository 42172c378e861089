import { Option, type Command } from "commander";

import type { CaptureFlags } from "../capture/request.ts";
import type { ConformanceCommand } from "../commands/conformance.ts";
import { collect, type Does } from "./does.ts";

/** Adds what looks at any A2A agent: `capture`, `trace`, `compare`, `conformance`. */
export function wireCommands(program: Command, does: Does): void {
  captureFlags(
    program.command("capture").description("save what any A2A agent answers, each event with its time"),
  )
    .argument("<url>", "address of the agent, or of its card")
    .argument("<question>", "what to ask, in words")
    .addOption(outFile("where it goes, - for stdout; by default capture.ndjson, or the next free name"))
    .action((url: string, question: string, flags: CaptureFlags & { out?: string }) =>
      does(async (context) => {
        const { capture } = await import("../commands/capture.ts");
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
          const { trace } = await import("../commands/trace.ts");
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
      does(async (context) => (await import("../commands/compare.ts")).compare(context, { a, b, ...flags })),
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
    .addOption(
      new Option("--binding <binding>", "try this binding only").choices(["jsonrpc", "rest", "grpc"]),
    )
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
        const { conformance } = await import("../commands/conformance.ts");
        return conformance(context, { ...flags, url });
      }),
    );
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
