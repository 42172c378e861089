import {
  captureAgent,
  captureLine,
  OutcomeReader,
  type CaptureProgress,
  type CaptureRecord,
} from "@troupe/a2a/capture";
import { InputError } from "@troupe/core/errors";

import { createLineFile, type LineFile } from "../../adapters/capture-file.ts";
import type { CliContext } from "../context.ts";
import { milliseconds } from "../render/figures.ts";
import { harmless } from "../render/harmless.ts";
import { captureOptions, isAddress, type CaptureFlags } from "./request.ts";

export interface RecordOptions extends CaptureFlags {
  readonly url: string;
  readonly question: string;
  /** Where the lines go, decided when the first is there; nowhere when absent. */
  readonly file?: () => string;
  /** Takes each line in place of a file. */
  readonly line?: (line: string) => void;
  readonly each?: (record: CaptureRecord) => void;
}

/** Asks an agent and writes down what comes, as it comes. */
export async function recordStream(
  context: CliContext,
  options: RecordOptions,
): Promise<{ readonly progress: CaptureProgress; readonly path: string | undefined }> {
  const { url, question } = options;
  const address = URL.parse(url);
  if (!isAddress(url) || address === null)
    throw new InputError("input.invalid", `"${url}" is no address of an agent; write http://host:port.`);
  if (address.username !== "" || address.password !== "")
    throw new InputError(
      "input.invalid",
      `The address of ${address.host} holds a name or a password. Put what is to be sent into a variable: --auth-env VARIABLE.`,
    );
  if (question.trim() === "") throw new InputError("input.invalid", "Say what to ask the agent, in words.");
  const reader = new OutcomeReader();
  let file: LineFile | undefined;
  try {
    for await (const record of captureAgent(url, question, captureOptions(context, url, options))) {
      // Only now is there something to write: what stood in the file is kept until then.
      if (options.file !== undefined) file ??= createLineFile(options.file());
      const line = captureLine(record);
      file?.write(line);
      options.line?.(line);
      reader.push(record);
      options.each?.(record);
    }
  } finally {
    file?.close();
  }
  return { progress: reader.progress, path: file?.path };
}

/** One line on how it went. */
export function recordedText({ events, outcome, ended, error }: CaptureProgress): string {
  const how = ENDED[ended?.end ?? "closed"];
  const why = error === "" ? "" : `: ${harmless(error).replaceAll(/\s+/g, " ")}`;
  const count = `${events} event${events === 1 ? "" : "s"} in ${milliseconds(ended?.t ?? 0)}`;
  return `${count}; the task ${outcome === "unfinished" ? "did not end" : `ended ${outcome}`}${how}${why}\n`;
}

const ENDED = {
  closed: "",
  "left-open": ", and the server left the stream open",
  broken: ", and the connection broke",
  refused: ", and the agent refused",
  interrupted: ", because it was interrupted",
} as const;
