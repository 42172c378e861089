import { AccessError, ToolError, type ToolErrorCode } from "@troupe/core";

import { accessWanted } from "./access-wanted.ts";
import { BreakerOpen } from "./call-policy.ts";
import { placeOf, type ResolvedConfig } from "./config.ts";
import { LinkFailure, type FailureKind } from "./failure.ts";

/**
 * A failure in words for a person or a model: which server, which tool, what to do. Errors that
 * are not about the link pass as they are. A server that was `connectedBefore` may be restarting.
 */
export function explain(
  error: unknown,
  config: ResolvedConfig,
  tool: string | undefined,
  connectedBefore = false,
): unknown {
  if (error instanceof BreakerOpen) {
    const seconds = Math.ceil(error.retryInMs / 1_000);
    const message =
      `MCP server "${config.name}" failed several times in a row and is left alone for now, ` +
      `so ${notRun(tool)}. Next try in ${seconds} s.`;
    return new ToolError("tool.unavailable", message, { retryable: true, cause: error });
  }
  if (!(error instanceof LinkFailure)) return error;
  const access = tool === undefined ? undefined : accessWanted(error.cause, config.name);
  if (access !== undefined) return new AccessError(access);
  const { code, message, retryable = false } = inWords(error, config, tool, connectedBefore);
  return new ToolError(code, message, { retryable, cause: error });
}

interface Words {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly retryable?: boolean;
}

function inWords(
  { kind, detail, status }: LinkFailure,
  config: ResolvedConfig,
  tool: string | undefined,
  connectedBefore: boolean,
): Words {
  const at = `MCP server "${config.name}" at ${placeOf(config)}`;
  const what = tool === undefined ? "Listing its tools" : `"${tool}"`;
  const so = `so ${notRun(tool)}`;
  const code = "tool.unavailable";
  if (kind === "refused" && (status === 401 || status === 403)) {
    return { code, message: `${at} refused our credentials (${detail}), ${so}. Set its headers.` };
  }
  const words: { readonly [K in FailureKind]: Words } = {
    unreachable: {
      code,
      message: `${at} cannot be reached (${detail}), ${so}. ${remedy(config, connectedBefore)}`,
      retryable: true,
    },
    "no-answer": {
      code: "tool.timeout",
      message: `${at} does not answer (${detail}), ${so}. ${remedy(config)}`,
      retryable: true,
    },
    "not-startable": {
      code,
      message: `${at} cannot be started (${detail}), ${so}. Install the command, or correct it.`,
    },
    exited: {
      code,
      message: `${at} ended before it was ready, ${so}. Its last error output: ${detail}`,
      retryable: true,
    },
    "session-lost": {
      code,
      message: `${at} keeps no session (${detail}), ${so}. Try later.`,
      retryable: true,
    },
    busy: { code, message: `${at} takes no calls now (${detail}), ${so}. Try later.`, retryable: true },
    lost: {
      code,
      message: `${what} on ${at} broke off (${detail}). It may have run all the same; check before calling again.`,
    },
    "server-error": {
      code,
      message: `${what} on ${at} failed (${detail}). It may have run all the same; check before calling again.`,
    },
    timeout: {
      code: "tool.timeout",
      message: `${what} on ${at}: ${detail}, cancelled. It may still have run. Ask for less, or raise callTimeoutMs.`,
    },
    refused: {
      code,
      message: `${at} refused the request (${detail}), ${so}. Check that its url is that of an MCP endpoint.`,
    },
    rejected: { code: "tool.failed", message: `${what} on ${at} failed: ${detail}.` },
    "too-large": {
      code: "tool.failed",
      message: `${what} on ${at} failed: ${detail}. Ask for less at a time.`,
    },
  };
  return words[kind];
}

function notRun(tool: string | undefined): string {
  return tool === undefined ? "its tools are not known" : `"${tool}" was not run`;
}

function remedy(config: ResolvedConfig, connectedBefore = false): string {
  const how = config.startHint === undefined ? "" : ` with: ${config.startHint}`;
  if ("command" in config) return `Start it${how}, or correct its command.`;
  return connectedBefore
    ? `It may be restarting: try again in a moment, or start it${how}.`
    : `Start it${how}, or set its url.`;
}
