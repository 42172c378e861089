import { silentLog, systemClock } from "@troupe/core";
import { newId } from "@troupe/service";

import type { CliContext } from "../cli/context.ts";

/** A command at work in `home`, without a terminal, that prints nowhere; `own` says what is otherwise. */
export const testContext = (home: string, own: Partial<CliContext> = {}): CliContext => ({
  out: () => undefined,
  err: () => undefined,
  color: false,
  env: {},
  cwd: home,
  home,
  appsRoot: home,
  clock: systemClock,
  newId,
  log: silentLog,
  interrupted: new AbortController().signal,
  ...own,
});
