import { readFileSync } from "node:fs";

import { InputError } from "@troupe/core";

export interface TakenToken {
  /** Without the token: nobody this command starts has any business with it. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly token?: string;
}

/**
 * What this command shows to an orchestrator that asks who calls: what stands in the file, else in
 * `TROUPE_TOKEN`, else in the file that `TROUPE_TOKEN_FILE` names. Throws an `InputError` where there is
 * none, or one that is no token; never quotes it.
 */
export function takeToken(
  given: { readonly [name: string]: string | undefined },
  tokenFile: string | undefined,
): TakenToken {
  const { TROUPE_TOKEN: inEnv = "", TROUPE_TOKEN_FILE: fileInEnv = "", ...env } = given;
  const file = tokenFile ?? (inEnv === "" && fileInEnv !== "" ? fileInEnv : undefined);
  if (file === undefined && inEnv === "") return { env };
  const token = (file === undefined ? inEnv : read(file)).trim();
  if (/^[\w.~+/-]+=*$/.test(token)) return { env, token };
  const where = file === undefined ? "TROUPE_TOKEN" : `"${file}"`;
  throw new InputError(
    "input.invalid",
    `What stands in ${where} is no token: it has to be one word of letters, digits and . _ ~ + / - =`,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InputError("input.invalid", `The token file "${file}" cannot be read.`, { cause: error });
  }
}
