import { readFileSync } from "node:fs";

import type { ExpectedFailure } from "@troupe/a2a/conformance";
import { InputError } from "@troupe/core/errors";
import { parse } from "yaml";
import { z } from "zod";

const entries = z
  .array(
    z.strictObject({
      requirement: z.string().min(1),
      binding: z.enum(["JSONRPC", "HTTP+JSON"]).optional(),
      reason: z.string().trim().min(1),
    }),
  )
  .nullable();

/** Reads failures that are known, from YAML or JSON. Throws an `InputError` that says what is wrong with the file. */
export function readExpected(path: string, shown: string): readonly ExpectedFailure[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError("input.invalid", `"${shown}" cannot be read.`, { cause: error });
  }
  const read = entries.safeParse(parsed(text, shown));
  if (read.success)
    return (read.data ?? []).map(({ binding, ...rest }) =>
      binding === undefined ? rest : { ...rest, binding },
    );
  const [issue] = read.error.issues;
  const at = issue?.path.join(".") ?? "";
  throw new InputError(
    "input.invalid",
    `"${shown}"${at === "" ? "" : ` at ${at}`}: ${issue?.message ?? "no list"}. It is a list of entries with requirement, reason, and where it is one binding's, binding.`,
  );
}

function parsed(text: string, shown: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new InputError("input.invalid", `"${shown}" is no YAML.`, { cause: error });
  }
}
