import { readFileSync } from "node:fs";

import { isLoopback, isSameOrigin, type Fetch } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { loadConfig, readConfigFile, readOwner } from "@troupe/service";
import { z } from "zod";

import { settings } from "../server/settings.ts";
import type { CliContext } from "./context.ts";

const { allowed_origins, public_url } = settings.shape;
const known = z.object({ allowed_origins, public_url });

/**
 * fetch for an address that the person at the terminal typed, or that is of their own servers, and for
 * what it leads to: its own origin, what the settings allow, whatever is public, and from one address of
 * this machine to any other of it. A card or a redirect from outside leads to nothing inside.
 */
export function fetchFrom(context: CliContext, address: string): Fetch {
  const { value } = loadConfig(known, {
    env: context.env,
    file: readConfigFile(context.env["TROUPE_CONFIG"] ?? "troupe.config.json", "orchestrator"),
    readSecret: (path) => readFileSync(path, "utf8"),
  });
  const local = isLoopback(new URL(address).hostname);
  const origins = [address, ...value.allowed_origins];
  // Files of our own servers have their public address.
  if (local && value.public_url !== undefined) origins.push(value.public_url);
  return guardedFetch({
    allow: (url) =>
      origins.some((origin) => isSameOrigin(url, origin)) || (local && isLoopback(url.hostname)),
  });
}

/** fetch for files of this home's own servers. Those under its public address are fetched locally, as its proxy may be down. */
export function fetchOwnFiles(context: CliContext): Fetch {
  const { url, publicUrl } = readOwner(context.home) ?? {};
  const fetch = fetchFrom(context, url ?? "http://127.0.0.1");
  if (url === undefined || publicUrl === undefined) return fetch;
  return (input, init) => {
    const file = input instanceof Request ? null : URL.parse(String(input));
    if (file === null || !isBelow(file, publicUrl)) return fetch(input, init);
    return fetch(new URL(`${file.pathname}${file.search}`, url), init);
  };
}

function isBelow(url: URL, base: string): boolean {
  const prefix = new URL(base).pathname.replace(/\/$/, "");
  return isSameOrigin(url, base) && url.pathname.startsWith(`${prefix}/`);
}
