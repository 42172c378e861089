import { join } from "node:path";

import { systemClock, type ArtifactStore, type Log, type Tool } from "@troupe/core";
import {
  createMcpServer,
  serveHttp,
  serveStdio,
  type McpPrompt,
  type ResourceProvider,
} from "@troupe/mcp/server";

import { newId } from "../adapters/new-id.ts";
import type { Running } from "../adapters/run-main.ts";
import { fileArtifactStore } from "../artifacts/file-artifact-store.ts";
import { OWNER_BYTES } from "../artifacts/owner-quota.ts";
import { homeCollectionAccess, OPEN_ACCESS, type CollectionAccess } from "../auth/collection-access.ts";
import { openMcpToken, tokenCheck } from "../auth/mcp-token.ts";
import { requireLoopback } from "../config/bind-guard.ts";
import { makeHome } from "../home/make-home.ts";
import type { McpSettings } from "./mcp-settings.ts";

/** Everything that makes one MCP server different from another. */
export interface McpDefinition {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly prompts?: readonly McpPrompt[];
  /**
   * Opens what the tools need. `trusted` is true over stdio, where the caller is a parent process
   * on this machine: only then may tools read paths.
   */
  readonly open: (context: {
    readonly home: string;
    readonly trusted: boolean;
    /** A tool keeps a file as that of `context.userId`, or of `""`; only they may read it. */
    readonly artifacts: ArtifactStore;
    /** What `context.userId` may do with collections. */
    readonly access: CollectionAccess;
    readonly log: Log;
  }) => Promise<{
    readonly tools: readonly Tool[];
    readonly resources?: ResourceProvider;
    close(): Promise<void>;
  }>;
}

/**
 * Runs one MCP server over stdio or Streamable HTTP. Over HTTP with authentication it takes calls of
 * agents only, which it believes in whose name they call.
 */
export async function startMcp(
  definition: McpDefinition,
  settings: McpSettings,
  tools: { readonly log: Log },
): Promise<Running> {
  const { log } = tools;
  const asks = settings.auth === "on" && !settings.stdio;
  if (!asks && !settings.stdio) requireLoopback(settings.host);
  makeHome(settings.home);
  const auth = asks ? tokenCheck(settings.mcp_token ?? openMcpToken(settings.home)) : undefined;
  const artifacts = fileArtifactStore({
    dir: join(settings.home, "artifacts"),
    baseUrl: () => "troupe-artifact:",
    newId,
    ...(settings.auth === "on" ? { ownerBytes: OWNER_BYTES } : {}),
  });
  const { home, stdio: trusted } = settings;
  // Who starts the server over stdio can read the home folder anyway.
  const access = asks ? homeCollectionAccess({ home, log }) : OPEN_ACCESS;
  const opened = await definition.open({ home, trusted, artifacts, access, log });
  const create = () =>
    createMcpServer({
      name: definition.name,
      version: definition.version,
      instructions: definition.instructions,
      tools: [...opened.tools],
      ...(opened.resources && { resources: opened.resources }),
      ...(definition.prompts && { prompts: definition.prompts }),
      artifacts,
      log,
      clock: systemClock,
      newId,
    });
  if (settings.stdio) return { url: "stdio:", ended: serveStdio(create()), close: () => opened.close() };
  const served = await serveHttp({
    create,
    host: settings.host,
    port: settings.port,
    legacySse: settings.legacy_sse,
    ...(auth === undefined ? {} : { auth }),
    clock: systemClock,
    newId,
    log,
  }).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return {
    url: served.url,
    async close() {
      try {
        await served.close();
      } finally {
        await opened.close();
      }
    },
  };
}
