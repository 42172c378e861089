import { z } from "zod";

import { getJson } from "../adapters/get-json.ts";
import type { CliContext } from "./context.ts";

const modelSchema = z.object({ kind: z.string(), describe: z.string() });

/**
 * One line where the servers work without a model. They are asked: what is set in this shell is nothing
 * to servers that were up before. Nothing where they do not say.
 */
export async function sayModel(context: Pick<CliContext, "err">, url: string): Promise<void> {
  const said = modelSchema.safeParse(await getJson(`${url}/api/model`).catch(() => undefined));
  if (said.success && said.data.kind === "playbook") context.err(`${said.data.describe}\n`);
}
