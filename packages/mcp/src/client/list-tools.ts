import type { Log } from "@troupe/core";

import type { Connection } from "./connection.ts";
import { remoteToolSchema, toolPageSchema, type RemoteTool } from "./wire-schemas.ts";

/** A server that pages on for ever is stopped here. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1_000;

/** All tools of a server, page by page; entries that are no tools are left out and logged. */
export async function listRemoteTools(
  connection: Connection,
  options: { readonly server: string; readonly signal: AbortSignal; readonly log: Log },
): Promise<readonly RemoteTool[]> {
  const found: RemoteTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < MAX_TOOLS; page++) {
    const answer = await connection.request(
      { method: "tools/list", ...(cursor !== undefined && { params: { cursor } }) },
      toolPageSchema,
      options.signal,
    );
    for (const entry of answer.tools.slice(0, MAX_TOOLS - found.length)) {
      const tool = remoteToolSchema.safeParse(entry);
      if (tool.success) found.push(tool.data);
      else options.log.warn("mcp server lists something that is no tool", { server: options.server });
    }
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) return found;
    cursor = answer.nextCursor;
  }
  options.log.warn("mcp server lists too many tools, the rest is left out", {
    server: options.server,
    kept: found.length,
  });
  return found;
}
