import { z } from "zod";

import { getJson } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";
import { harmless } from "./render/harmless.ts";
import { proseWriter } from "./prose-writer.ts";

const modelSchema = z.object({
  kind: z.string(),
  describe: z.string(),
  /** Absent if not set. */
  answer_check: z.string().optional(),
});

type ModelInUse = z.output<typeof modelSchema>;

/** Printed if `answer_check` is `model` and no model is set. */
export const NO_REVIEW =
  "answer_check is model, but no model is set: answers are checked by rules, and no model reviews them.";

/**
 * What servers that are up work with: what is set in this shell is nothing to them. Undefined where they
 * do not say.
 */
export async function modelInUse(url: string, token?: string): Promise<ModelInUse | undefined> {
  return modelSchema.safeParse(await getJson(`${url}/api/model`, token).catch(() => undefined)).data;
}

/**
 * One line if the servers run without a model or on a recording, one if a model should review answers, and one if the
 * images of the request are not used.
 */
export async function sayModel(
  context: Pick<CliContext, "err" | "terminal" | "token">,
  url: string,
  images: readonly string[] = [],
): Promise<void> {
  const used = await modelInUse(url, context.token);
  if (used?.kind !== "playbook" && used?.kind !== "recorded") return;
  const write = await proseWriter(context);
  write(`${used.describe}\n`);
  if (used.answer_check === "model") write(`${NO_REVIEW}\n`);
  if (images.length > 0 && used.kind === "playbook")
    write(
      harmless(`Not used without a model, because fixed rules cannot read images: ${images.join(", ")}.\n`),
    );
}
