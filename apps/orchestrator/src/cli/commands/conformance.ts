import { resolve } from "node:path";

import { runConformance } from "@troupe/a2a/conformance";
import { InputError } from "@troupe/core/errors";
import type { Fetch } from "@troupe/core";

import { captureOptions, isAddress } from "../capture/request.ts";
import { readExpected } from "../conformance/expected-file.ts";
import { promptsOf } from "../conformance/prompts.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { conformanceText } from "../render/conformance-text.ts";

export interface ConformanceCommand {
  readonly url: string;
  readonly json: boolean;
  /** `Name: value` */
  readonly header: readonly string[];
  readonly authEnv?: string;
  readonly binding?: "jsonrpc" | "rest" | "grpc";
  readonly only: readonly string[];
  readonly prompt: readonly string[];
  /** A file with the failures that are known. */
  readonly expected?: string;
  /** Seconds for one requirement. */
  readonly timeout?: string;
}

/** Tries an agent on all that A2A asks of a server. It is failed unless it conforms. */
export async function conformance(context: CliContext, options: ConformanceCommand): Promise<number> {
  const { url, only, expected } = options;
  if (!isAddress(url))
    throw new InputError("input.invalid", `"${url}" is no address of an agent; write http://host:port.`);
  const { binding: asked, ...flags } = options;
  const { fetch, headers, secretHeaders, binding } = captureOptions(context, url, {
    ...flags,
    ...(asked === undefined || asked === "grpc" ? {} : { binding: asked }),
  });
  const oneBinding = asked === "grpc" ? "GRPC" : binding;
  let unknown = false;
  const fetchImpl: Fetch = async (...request) => {
    const response = await fetch(...request);
    unknown ||= response.status === 401;
    return response;
  };
  const report = await runConformance(url, {
    fetchImpl,
    ...(headers === undefined ? {} : { headers }),
    ...(secretHeaders === undefined ? {} : { credentials: secretHeaders }),
    ...(oneBinding === undefined ? {} : { bindings: [oneBinding] }),
    ...(only.length === 0 ? {} : { only }),
    ...(expected === undefined ? {} : { expected: readExpected(resolve(context.cwd, expected), expected) }),
    ...(options.timeout === undefined ? {} : { timeoutMs: secondsOf(options.timeout) * 1_000 }),
    prompts: promptsOf(options.prompt),
    clock: context.clock,
    newId: context.newId,
    signal: context.interrupted,
  });
  context.out(options.json ? `${JSON.stringify(report)}\n` : conformanceText(report));
  if (unknown && options.authEnv === undefined)
    context.err(
      "The agent asks who calls, and was not told: put a key or a token into a variable and name it, --auth-env VARIABLE.\n",
    );
  return report.ok ? EXIT.completed : EXIT.failed;
}

function secondsOf(given: string): number {
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 3_600))
    throw new InputError(
      "input.invalid",
      `--timeout "${given}" must be seconds, more than 0 and at most 3600.`,
    );
  return seconds;
}
