import type { CliContext } from "../context.ts";
import { colors } from "./color.ts";
import { jsonProgress } from "./json-progress.ts";
import { liveProgress } from "./live-progress.ts";
import { plainProgress } from "./plain-progress.ts";
import type { Progress } from "./progress.ts";

const silent: Progress = { event: () => undefined, end: () => undefined };

/** How a run is shown: as events, redrawn at a terminal, as plain lines, or not at all. */
export function chooseProgress(
  context: CliContext,
  flags: { readonly json: boolean; readonly quiet: boolean },
): Progress {
  if (flags.json) return jsonProgress(context.out);
  if (flags.quiet) return silent;
  const paint = colors(context.color);
  if (context.terminal !== undefined) return liveProgress(context.terminal, paint, context.clock);
  return plainProgress(context.err, paint);
}
