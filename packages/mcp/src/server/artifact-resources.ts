import { isTroupeError, type ArtifactStore, type Log } from "@troupe/core";
import type { ArtifactRef } from "@troupe/stream";
import {
  ErrorCode,
  McpError,
  type ReadResourceResult,
  type Resource,
} from "@modelcontextprotocol/sdk/types.js";

import { artifactUri, parseArtifactUri } from "../wire/artifact-uri.ts";

/** Links kept for `resources/list`, newest last; a client that got a link can read it beyond that. */
const MAX_LISTED = 100;

/** The files of one session as MCP resources. One session may be shared by several users. */
export interface ArtifactResources {
  remember(refs: readonly ArtifactRef[], owner: string): void;
  /** The files remembered for `owner`. */
  list(owner: string): readonly Resource[];
  /** A file of `owner`. Throws an `McpError` that says what was asked for. */
  read(uri: string, owner: string): Promise<ReadResourceResult>;
}

export function artifactResources(
  store: ArtifactStore,
  options: { readonly maxBytes: number; readonly log: Log },
): ArtifactResources {
  const listed = new Map<string, { readonly ref: ArtifactRef; readonly owner: string }>();
  return {
    remember(refs, owner) {
      for (const ref of refs) {
        listed.delete(ref.id);
        listed.set(ref.id, { ref, owner });
      }
      for (const id of listed.keys()) {
        if (listed.size <= MAX_LISTED) break;
        listed.delete(id);
      }
    },
    list: (owner) =>
      [...listed.values()]
        .filter((file) => file.owner === owner)
        .map(({ ref }) => ({
          uri: artifactUri(ref.id, ref.name),
          name: ref.name,
          mimeType: ref.mediaType,
          size: ref.bytes,
        })),
    async read(uri, owner) {
      const address = parseArtifactUri(uri);
      if (!address) throw notFound(uri, "Addresses here look like troupe-artifact://<id>/<name>.");
      const found = await store.get(address.id, owner).catch((error: unknown) => {
        options.log.error("artifact could not be read", { id: address.id, error });
        throw new McpError(ErrorCode.InternalError, isTroupeError(error) ? error.message : "internal error");
      });
      if (!found) throw notFound(uri, "It was never made here, or its time is over; call the tool again.");
      if (found.ref.bytes > options.maxBytes) {
        throw new McpError(
          ErrorCode.InvalidRequest,
          `"${found.ref.name}" has ${found.ref.bytes} bytes; at most ${options.maxBytes} are sent.`,
        );
      }
      const parts: Uint8Array[] = [];
      for await (const part of found.read()) parts.push(part);
      return {
        contents: [{ uri, mimeType: found.ref.mediaType, blob: Buffer.concat(parts).toString("base64") }],
      };
    },
  };
}

/** -32002 is "resource not found" of the MCP specification; the SDK has no name for it. */
export function notFound(uri: string, hint: string): McpError {
  return new McpError(-32002, `No resource "${uri.slice(0, 256)}". ${hint}`);
}
