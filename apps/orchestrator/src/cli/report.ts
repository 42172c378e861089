import { isTroupeError } from "@troupe/core/errors";

import { z } from "zod";

import { tooManyFiles } from "../supervisor/too-many-files.ts";
import { exitCodeOfError } from "./exit-codes.ts";
import { harmless } from "./render/harmless.ts";

/** What zod says of data that cannot be used is a list in JSON; its first entry says enough. */
function unexpectedText(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String(error);
  const [issue] = error.issues;
  return `data with an unexpected shape (${issue?.path.join(".") || "at the top"}: ${issue?.message ?? "unknown"})`;
}

/** Says why a command failed, and what to do; gives its exit code. */
export async function report(error: unknown, err: (text: string) => void): Promise<number> {
  const { scrub } = await import("@troupe/service");
  const what = tooManyFiles(error) ?? (isTroupeError(error) ? error.message : undefined);
  const message = what ?? `Something unexpected went wrong: ${unexpectedText(error)}`;
  err(harmless(`troupe: ${scrub(message)}\n`));
  if (isTroupeError(error) && error.code === "agent.unauthenticated")
    err(
      "Set TROUPE_TOKEN to an API key, or give --token-file. One that is mistyped, revoked or of another home is " +
        "refused as well. `keys` lists those there are, `keys add` makes one.\n",
    );
  if (what === undefined)
    err("Run again with TROUPE_LOG_LEVEL=debug and see the logs folder of TROUPE_HOME.\n");
  return exitCodeOfError(error);
}
