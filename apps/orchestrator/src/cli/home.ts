import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { StoreError } from "@troupe/core/errors";
import { makeFolder } from "@troupe/core/node";

import type { CliContext } from "./context.ts";
import { colors } from "./render/color.ts";

/** Makes the home folder where it is missing. Throws a `StoreError` when nothing can be kept there. */
export function requireHome(home: string): void {
  try {
    makeFolder(home);
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new StoreError(
      "store.io",
      `"${home}" cannot be written (${code}). Set TROUPE_HOME to a folder of yours.`,
      { cause: error },
    );
  }
}

/** As `requireHome`, and says where the home is when it makes it. */
export function makeHome({ home, color, err }: Pick<CliContext, "home" | "color" | "err">): void {
  const isNew = !existsSync(home);
  requireHome(home);
  if (isNew) err(`${colors(color).dim(`New home folder: ${home}`)}\n`);
}

/** The default home of a parent folder, where the current folder has none and none is set. */
export function homeOfParent({
  home,
  cwd,
  env,
}: Pick<CliContext, "home" | "cwd" | "env">): string | undefined {
  if (env["TROUPE_HOME"] !== undefined || existsSync(home)) return undefined;
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(dirname(folder), ".troupe");
    if (existsSync(found)) return found;
  }
  return undefined;
}
