import type { RequestHandler } from "express";

/**
 * A proxy that serves the agent under a path may pass that path on or take it away: both reach the
 * same. `prefix` is the path of the public URL.
 */
export function stripPrefix(prefix: string): RequestHandler {
  const path = prefix.replace(/\/+$/, "");
  return (req, _res, next) => {
    if (path !== "" && req.url.startsWith(`${path}/`)) req.url = req.url.slice(path.length);
    next();
  };
}
