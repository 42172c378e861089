import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import { callerOf, type ServeAgentOptions } from "@troupe/a2a/server";
import { systemClock, type Log } from "@troupe/core";

import { newId } from "../adapters/new-id.ts";
import { artifactLinks } from "./artifact-links.ts";
import { fileArtifactStore, type FileArtifactStore } from "./file-artifact-store.ts";
import { artifactHandler, linkedArtifacts } from "./http/artifact-handler.ts";
import { fileLinkKeys } from "./link-keys.ts";
import { OWNER_BYTES } from "./owner-quota.ts";

export interface HomeArtifactsOptions {
  readonly home: string;
  readonly baseUrl: () => string;
  readonly log: Log;
  /** Callers are told apart: a file is its owner's then, and addresses are signed for whoever gets one. */
  readonly authenticated?: boolean;
}

export interface HomeArtifacts {
  readonly store: FileArtifactStore;
  /** For `serveAgent`: files by signed link, files of a caller, and that a large one takes its time to come. */
  readonly openRoutes: NonNullable<ServeAgentOptions["openRoutes"]>;
  readonly routes: NonNullable<ServeAgentOptions["routes"]>;
  readonly takesTime: (request: IncomingMessage) => boolean;
}

/** The files of a home folder, as a process serves them. */
export function homeArtifacts(options: HomeArtifactsOptions): HomeArtifacts {
  const { home, baseUrl, log, authenticated = false } = options;
  const links = artifactLinks({ keys: fileLinkKeys(home).read, clock: systemClock });
  const store = fileArtifactStore({
    dir: join(home, "artifacts"),
    baseUrl,
    newId,
    ...(authenticated ? { sign: links.sign, ownerBytes: OWNER_BYTES } : {}),
  });
  const identify = (request: IncomingMessage): string | undefined => callerOf(request)?.id;
  return {
    store,
    openRoutes: (app) => {
      if (authenticated) app.use(linkedArtifacts(store, { links, log }));
    },
    routes: (app) => {
      const usage = (owner: string): Promise<number> => store.usage(owner);
      app.use(artifactHandler(store, { log, usage, ...(authenticated ? { identify } : {}) }));
    },
    takesTime: ({ method, url }) => method === "PUT" && url?.startsWith("/artifacts/") === true,
  };
}
