import { readFileSync } from "node:fs";

import { isLoopback, isSameOrigin, type Fetch } from "@troupe/core";
import { guardedFetch } from "@troupe/core/node";
import { loadConfig, readConfigFile } from "@troupe/service";
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
