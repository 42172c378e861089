import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

import type { ArtifactStore, Log } from "@troupe/core";

/**
 * Serves `GET /artifacts/<id>/<name>` from a store. Mount it before other routes; it calls `next`
 * for every other path. Files are always attachments, so nothing a model made runs in a browser.
 */
export function artifactHandler(store: ArtifactStore, log: Log) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const match = /^\/artifacts\/([0-9a-f]{32})(?:\/[^/?]*)?(?:\?.*)?$/.exec(request.url ?? "");
    if (!match || (request.method !== "GET" && request.method !== "HEAD")) {
      next();
      return;
    }
    serve(store, match[1] ?? "", request, response).catch((error: unknown) => {
      log.warn("artifact not delivered", { id: match[1], error });
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
}

async function serve(
  store: ArtifactStore,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = await store.get(id, "");
  if (!found) {
    response.writeHead(404, { "content-type": "text/plain" }).end("No such file.\n");
    return;
  }
  response.writeHead(200, {
    "content-type": found.ref.mediaType,
    "content-length": found.ref.bytes,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(found.ref.name)}`,
    "x-content-type-options": "nosniff",
    etag: `"${found.ref.sha256}"`,
  });
  if (request.method === "HEAD") response.end();
  else await pipeline(found.read(), response);
}
