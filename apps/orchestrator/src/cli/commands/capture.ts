import { resolve } from "node:path";

import { freeName } from "../../adapters/capture-file.ts";
import { exitCodeOfCapture } from "../capture/exit-code.ts";
import { recordedText, recordStream } from "../capture/record-stream.ts";
import type { CaptureFlags } from "../capture/request.ts";
import type { CliContext } from "../context.ts";

export interface CaptureCommand extends CaptureFlags {
  readonly url: string;
  readonly question: string;
  /** `-` is stdout. */
  readonly out?: string;
}

/** Saves what an agent answers, event by event with its arrival time, and prints where. */
export async function capture(context: CliContext, options: CaptureCommand): Promise<number> {
  const { out } = options;
  const to =
    out === "-"
      ? { line: context.out }
      : {
          file: () =>
            out === undefined ? freeName(context.cwd, "capture", ".ndjson") : resolve(context.cwd, out),
        };
  const { progress, path } = await recordStream(context, { ...options, ...to });
  if (path !== undefined) context.out(`${path}\n`);
  context.err(recordedText(progress));
  return exitCodeOfCapture(progress);
}
