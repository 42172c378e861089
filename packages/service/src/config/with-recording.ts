import { appendFileSync, readFileSync } from "node:fs";

import { InputError, type Log } from "@troupe/core";
import { parseRecording, recordModel, replayModel, type ChosenModel } from "@troupe/models";
import type { z } from "zod";

import type { modelSettings } from "./process-settings.ts";

type RecordingSettings = Pick<z.output<z.ZodObject<typeof modelSettings>>, "record" | "replay">;

/**
 * Records the answers of the model in the file `record`, or replays those in the file `replay` instead of the model;
 * returns the model unchanged without either. `agent` is the name of the process: all processes of a run share a file.
 *
 * Throws an `InputError` if both are set, a file cannot be used, or there is no model to record.
 */
export function withRecording(
  chosen: ChosenModel,
  { record, replay }: RecordingSettings,
  { agent, log }: { readonly agent: string; readonly log: Log },
): ChosenModel {
  if (record !== undefined && replay !== undefined)
    throw new InputError("input.invalid", "TROUPE_RECORD and TROUPE_REPLAY are both set. Set one of them.");
  if (replay !== undefined) {
    const turns = parseRecording(
      usable("TROUPE_REPLAY", replay, () => readFileSync(replay, "utf8")),
      replay,
    );
    const models = [...new Set(turns.map(({ model }) => model))].join(", ");
    return {
      kind: "recorded",
      model: replayModel(turns, { agent, log }),
      describe: `The words of the model are a recording of ${models || "nothing"} (${replay}); everything else is live.`,
    };
  }
  if (record === undefined) return chosen;
  if (chosen.kind === "playbook")
    throw new InputError(
      "input.invalid",
      "TROUPE_RECORD keeps the answers of a model, and no model is set. Set ANTHROPIC_API_KEY, or OPENAI_BASE_URL and TROUPE_MODEL.",
    );
  // For the owner only: it holds questions and the contents of documents and tables.
  const append = (text: string): void => appendFileSync(record, text, { mode: 0o600 });
  usable("TROUPE_RECORD", record, () => append(""));
  const write = (line: string): void => {
    try {
      append(line);
    } catch (error) {
      log.error("an answer was not recorded", { file: record, error });
    }
  };
  return {
    ...chosen,
    model: recordModel(chosen.model, { agent, write }),
    describe: `${chosen.describe} Its answers are kept in ${record}.`,
  };
}

function usable<T>(setting: string, file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new InputError("input.invalid", `The file of ${setting}, "${file}", cannot be used (${code}).`);
  }
}
