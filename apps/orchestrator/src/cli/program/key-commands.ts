import { Option, type Command } from "commander";

import type { Does } from "./does.ts";

/** Adds `keys`: the API keys of those who may call. */
export function keyCommands(program: Command, does: Does): void {
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
      does(async (context) => (await import("../commands/keys.ts")).addApiKey(context, { name, ...flags })),
    );
  keys
    .command("list")
    .description("list the keys, without what is secret of them")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("../commands/keys.ts")).listApiKeys(context, flags)),
    );
  keys
    .command("revoke")
    .description("end a key")
    .argument("<key>", "its name or its id")
    .action((key: string) =>
      does(async (context) => (await import("../commands/keys.ts")).revokeApiKey(context, key)),
    );
}
