import { z } from "zod";

import { getJson } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";
import { proseWriter } from "./prose-writer.ts";

const modelSchema = z.object({ kind: z.string(), describe: z.string() });

type ModelInUse = z.output<typeof modelSchema>;

/**
 * What servers that are up work with: what is set in this shell is nothing to them. Undefined where they
 * do not say.
 */
export async function modelInUse(url: string, token?: string): Promise<ModelInUse | undefined> {
  return modelSchema.safeParse(await getJson(`${url}/api/model`, token).catch(() => undefined)).data;
}

/** One line where the servers work without a model. */
export async function sayModel(
  context: Pick<CliContext, "err" | "terminal" | "token">,
  url: string,
): Promise<void> {
  const used = await modelInUse(url, context.token);
  if (used?.kind === "playbook") (await proseWriter(context))(`${used.describe}\n`);
}
