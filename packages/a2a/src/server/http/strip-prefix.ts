import { JSONRPC_PATH, REST_PATH } from "../../wire/card.ts";
import type { Step } from "./step.ts";

/**
 * A proxy that serves the agent under a path may pass that path on or take it away: both reach the
 * same. `prefix` is the path of the public URL, no trailing slash.
 */
export function stripPrefix(prefix: string): Step {
  return (req, _res, next) => {
    const { url = "" } = req;
    // One that was taken away already, where the prefix is how our own paths begin.
    const isOwn = url.startsWith(JSONRPC_PATH) || url.startsWith(`${REST_PATH}/`);
    if (prefix !== "" && !isOwn && url.startsWith(`${prefix}/`)) req.url = url.slice(prefix.length);
    next();
  };
}
