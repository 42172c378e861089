import type { Step } from "./step.ts";

/**
 * A proxy that serves the agent under a path may pass that path on or take it away: both reach the
 * same. `prefix` is the path of the public URL, no trailing slash.
 */
export function stripPrefix(prefix: string): Step {
  return (req, _res, next) => {
    if (prefix !== "" && req.url?.startsWith(`${prefix}/`) === true) req.url = req.url.slice(prefix.length);
    next();
  };
}
