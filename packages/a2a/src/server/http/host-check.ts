import { clip, isLoopback } from "@troupe/core";

import { sendJson } from "./send-json.ts";
import { countOf, headerOf, type Step } from "./step.ts";

/**
 * Refuses a request that reached a loopback server under another name: a web page whose name was
 * rebound to 127.0.0.1. `allowed` are the further names it is known by, such as a proxy's. Two names
 * are none: of which Node keeps the first, and somebody before us may have looked at the other.
 */
export function hostCheck(allowed: readonly string[]): Step {
  const names = new Set(allowed);
  return (req, res, next) => {
    const name = (req.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    if (countOf(req, "host") === 1 && (isLoopback(name) || names.has(name))) {
      next();
      return;
    }
    sendJson(res, 403, {
      error: "This server answers only as this machine, and by the name in its publicUrl.",
    });
  };
}

/**
 * Refuses what a page of another site has a browser do, where nobody is asked who they are: a browser sends
 * some requests for any page, and says so. `allowed` as above; pages of this machine may.
 */
export function siteCheck(allowed: readonly string[]): Step {
  const names = new Set(allowed);
  const isOurs = (origin: string): boolean => {
    const name = URL.parse(origin)?.hostname;
    return name !== undefined && (isLoopback(name) || names.has(name));
  };
  return (req, res, next) => {
    const { origin } = req.headers;
    const foreign = origin === undefined ? headerOf(req, "sec-fetch-site") === "cross-site" : !isOurs(origin);
    if (!foreign || req.method === "GET" || req.method === "HEAD") next();
    else sendJson(res, 403, { error: refusalOf(origin) });
  };
}

/** Long enough for any name, and no longer. */
const SHOWN_ORIGIN = 300;

function refusalOf(origin: string | undefined): string {
  const page = origin === undefined ? "another site" : JSON.stringify(clip(origin, SHOWN_ORIGIN));
  return (
    `This server does nothing for a page of ${page}, because it asks nobody who they are. Turn on ` +
    "authentication, or, where a proxy serves both under one name, make that its publicUrl."
  );
}
