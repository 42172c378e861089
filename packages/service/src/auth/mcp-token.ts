import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";

import { StoreError } from "@troupe/core";

import { createPrivate, readPrivate } from "../home/private-file.ts";
import { authFolder } from "./auth-folder.ts";

function mcpTokenFile(home: string): string {
  return join(authFolder(home), "mcp-token");
}

/**
 * The secret that the agents of a home show to its MCP servers, made where there is none. Whoever has it
 * is an agent, and is believed in whose name it calls. Throws a `StoreError` where others could have read it.
 */
export function openMcpToken(home: string): string {
  const path = mcpTokenFile(home);
  createPrivateOnce(path);
  const token = readPrivate(path, { secret: true })?.trim() ?? "";
  if (token.length >= MIN_LENGTH) return token;
  throw new StoreError(
    "store.corrupt",
    `"${path}" holds no token. Delete it: another is made at the next start.`,
  );
}

/** The same where there is one already; undefined where nobody has made it. */
export function findMcpToken(home: string): string | undefined {
  return readPrivate(mcpTokenFile(home), { secret: true })?.trim();
}

/** Fewer characters could be guessed. */
const MIN_LENGTH = 32;

function createPrivateOnce(path: string): void {
  if (readPrivate(path, { secret: true }) === undefined)
    createPrivate(path, `${randomBytes(32).toString("base64url")}\n`);
}

/** Whether it is this token, in the same time for any other. */
export function tokenCheck(token: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
