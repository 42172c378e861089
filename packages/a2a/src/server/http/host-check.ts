import type { RequestHandler } from "express";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || host === "::1" || host.startsWith("127.");
}

/**
 * Refuses a request that reached a loopback server under another name: a web page whose name was
 * rebound to 127.0.0.1. `allowed` are the further names it is known by, such as a proxy's.
 */
export function hostCheck(allowed: readonly string[]): RequestHandler {
  const names = new Set([...LOOPBACK, ...allowed]);
  return (req, res, next) => {
    const host = req.headers.host ?? "";
    if (names.has(host.replace(/:\d+$/, "").toLowerCase())) {
      next();
      return;
    }
    res.status(403).json({ error: "This server answers only under its own name." });
  };
}
