import { resolve } from "node:path";

import { createTracer } from "@troupe/a2a/capture";
import { InputError } from "@troupe/core/errors";

import { exitCodeOfCapture } from "../capture/exit-code.ts";
import { readCapture } from "../capture/read-capture.ts";
import { recordedText, recordStream } from "../capture/record-stream.ts";
import { isAddress, type CaptureFlags } from "../capture/request.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";
import { traceText } from "../render/trace-text.ts";
import { typed } from "../typed.ts";

export interface TraceCommand extends CaptureFlags {
  /** A capture file, or the address of an agent. */
  readonly source: string;
  readonly question?: string;
  readonly out?: string;
  readonly json: boolean;
}

/** Prints the timeline of a capture, or of a question that is asked now. */
export async function trace(context: CliContext, options: TraceCommand): Promise<number> {
  const { source, question, out } = options;
  const tracer = createTracer();
  const each = tracer.push;
  const show = (): void => {
    const told = tracer.trace();
    context.out(options.json ? `${JSON.stringify(told)}\n` : traceText(told, context.color));
  };
  if (isAddress(source)) {
    if (question === undefined)
      throw new InputError("input.invalid", `Say what to ask: ${typed(context, 'trace URL "..."')}.`);
    const file = out === undefined ? {} : { file: () => resolve(context.cwd, out) };
    const { progress } = await recordStream(context, { ...options, url: source, question, each, ...file });
    show();
    if (progress.outcome !== "completed") context.err(recordedText(progress));
    return exitCodeOfCapture(progress);
  }
  if (question !== undefined)
    throw new InputError(
      "input.invalid",
      `"${source}" is taken for a file, in which the question stands already. To ask an agent, give its address: http://host:port.`,
    );
  const { problems } = await readCapture(resolve(context.cwd, source), source, each);
  show();
  for (const problem of problems) context.err(`${harmless(problem)}\n`);
  return problems.length === 0 ? EXIT.completed : EXIT.partial;
}
