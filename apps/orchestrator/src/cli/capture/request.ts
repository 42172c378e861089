import { isHeaderName, isHeaderValue } from "@troupe/core";
import { InputError } from "@troupe/core/errors";
import type { Binding, CaptureOptions } from "@troupe/a2a/capture";

import type { CliContext } from "../context.ts";
import { fetchFrom } from "../fetch-from.ts";

/** The flags that say how an agent is talked to. */
export interface CaptureFlags {
  readonly collection?: string;
  /** `Name: value` */
  readonly header: readonly string[];
  /** `VARIABLE`, or `Name=VARIABLE`. */
  readonly authEnv?: string;
  readonly protocol?: "1.0" | "0.3";
  readonly binding?: "jsonrpc" | "rest";
}

const BINDINGS: { readonly [flag in "jsonrpc" | "rest"]: Binding } = {
  jsonrpc: "JSONRPC",
  rest: "HTTP+JSON",
};

/** What may be read by anybody who sees the command line must be no secret. */
const SECRET = /^(authorization|proxy-authorization|cookie)$|api-?key|token|secret|password/i;

/** Whether what was given is an address, and no file. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Throws an `InputError` that says which flag cannot be used. */
export function captureOptions(
  context: CliContext,
  url: string,
  flags: CaptureFlags,
): CaptureOptions & Required<Pick<CaptureOptions, "fetch">> {
  const { collection, protocol, binding, authEnv } = flags;
  return {
    signal: context.interrupted,
    fetch: fetchFrom(context, url),
    clock: context.clock,
    newId: context.newId,
    headers: Object.fromEntries(flags.header.map(parseHeader)),
    ...(authEnv === undefined ? {} : { secretHeaders: secretHeader(context, authEnv) }),
    ...(collection === undefined ? {} : { collection }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(binding === undefined ? {} : { binding: BINDINGS[binding] }),
  };
}

function parseHeader(given: string): readonly [string, string] {
  const colon = given.indexOf(":");
  const name = given.slice(0, Math.max(0, colon)).trim();
  const value = given.slice(colon + 1).trim();
  // The value is not quoted: it may be what should not have been typed.
  if (SECRET.test(name))
    throw new InputError(
      "input.invalid",
      `--header "${name}: ..." would show a secret to whoever sees the command line. Put it in a variable and name that: --auth-env ${name.toLowerCase() === "authorization" ? "" : `${name}=`}VARIABLE.`,
    );
  if (!isHeaderName(name) || !isHeaderValue(value))
    throw new InputError("input.invalid", `--header "${name || given}" is not of the form "Name: value".`);
  return [name, value];
}

function secretHeader(context: CliContext, given: string): Readonly<Record<string, string>> {
  const equals = given.indexOf("=");
  const name = equals === -1 ? "Authorization" : given.slice(0, equals);
  const variable = given.slice(equals + 1);
  const own = variable === "TROUPE_TOKEN";
  const value = (own ? context.token : context.env[variable]?.trim()) ?? "";
  if (!isHeaderName(name) || !/^\w+$/.test(variable))
    throw new InputError(
      "input.invalid",
      `--auth-env takes the name of a variable, or HEADER=VARIABLE, and no value.`,
    );
  if (value === "")
    throw new InputError(
      "input.invalid",
      `--auth-env ${given}: ${own ? "neither TROUPE_TOKEN nor TROUPE_TOKEN_FILE" : `the variable ${variable}`} is ${own ? "" : "not "}set.`,
    );
  if (!isHeaderValue(value))
    throw new InputError("input.invalid", `The value of ${variable} holds what no header can.`);
  const bare = name === "Authorization" && !/\s/.test(value);
  return { [name]: bare ? `Bearer ${value}` : value };
}
