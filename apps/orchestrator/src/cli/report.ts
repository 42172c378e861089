import { isTroupeError } from "@troupe/core/errors";

import { exitCodeOfError } from "./exit-codes.ts";
import { harmless } from "./render/harmless.ts";

/** Says why a command failed, and what to do; gives its exit code. */
export async function report(error: unknown, err: (text: string) => void): Promise<number> {
  const { scrub } = await import("@troupe/service");
  const known = isTroupeError(error);
  const message = known ? error.message : `Something unexpected went wrong: ${String(error)}`;
  err(harmless(`troupe: ${scrub(message)}\n`));
  if (known && error.code === "agent.unauthenticated")
    err(
      "Set TROUPE_TOKEN to an API key, or give --token-file. One that is mistyped, revoked or of another home is " +
        "refused as well. `keys` lists those there are, `keys add` makes one.\n",
    );
  if (!known) err("Run again with TROUPE_LOG_LEVEL=debug and see the logs folder of TROUPE_HOME.\n");
  return exitCodeOfError(error);
}
