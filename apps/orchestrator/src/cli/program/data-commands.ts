import type { Command } from "commander";

import { EXIT } from "../exit-codes.ts";
import type { Does } from "./does.ts";

interface Sharing {
  readonly owner?: string;
  readonly readers?: string;
}

/** Adds `ingest`, `check` and `collections`: documents and data, what rests on them, and who may read them. */
export function dataCommands(program: Command, does: Does): void {
  program
    .command("ingest")
    .description("take documents and data into a collection")
    .argument("<paths...>", "files and folders")
    .requiredOption("--collection <name>", "where they go")
    .option("--prune", "forget what of the collection does not stand in these folders", false)
    .option("--owner <user>", "who the collection belongs to")
    .option("--readers <users>", "who else may read it: user ids, or everyone")
    .action((paths: string[], flags: Sharing & { collection: string; prune: boolean }) =>
      does(async (context) => {
        const { ingest } = await import("../commands/ingest.ts");
        const { reports, complete } = await ingest(context, { paths, ...flags });
        for (const report of reports) context.out(`${report}\n`);
        return complete ? EXIT.completed : EXIT.partial;
      }),
    );

  program
    .command("check")
    .description("check the claims of texts and decks against a collection, without a model")
    .argument("<files...>", "Markdown, text, .docx, .pdf or .pptx")
    .requiredOption("--collection <name>", "documents and tables that hold the facts")
    .option("-v, --verbose", "list the claims that were found too, with their sources", false)
    .option("--json", "one claim a line, their numbers last", false)
    .action((files: string[], flags: { collection: string; verbose: boolean; json: boolean }) =>
      does(async (context) => (await import("../commands/check.ts")).check(context, { files, ...flags })),
    );

  const collections = program
    .command("collections")
    .description("list what was taken in: documents and tables, and who may read them")
    .option("--json", "as JSON", false)
    .action((flags: { json: boolean }) =>
      does(async (context) => (await import("../commands/collections.ts")).collections(context, flags)),
    );
  collections
    .command("share")
    .description("set who owns a collection and who may read it")
    .argument("<name>", "the collection")
    .option("--owner <user>", "who it belongs to")
    .option("--readers <users>", 'who else may read it: user ids, everyone, or "" for nobody')
    .action((collection: string, flags: Sharing) =>
      does(async (context) =>
        (await import("../commands/share-collection.ts")).share(context, { collection, ...flags }),
      ),
    );
}
