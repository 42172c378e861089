import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import type { AgentCard } from "@a2a-js/sdk";
import type { RequestHandler } from "express";

import { isLegacy } from "./version.ts";
import { cardJson, sharedCardJson } from "../../wire/card-json.ts";

/** For which a client need not ask again, in seconds. A card changes when its agent is started anew. */
const MAX_AGE_S = 60;

/**
 * The card as ProtoJSON; for who names no version in a form that 0.3 reads too. With validators, so
 * that whoever has it already is told only that.
 *
 * @param changedMs when it became what it is, ms since 1970
 */
export function cardRoute(card: AgentCard, changedMs: number): RequestHandler {
  const current = represent(cardJson(card));
  const shared = represent(sharedCardJson(card));
  // HTTP has times in whole seconds.
  const changedS = Math.floor(changedMs / 1_000);
  const lastModified = new Date(changedS * 1_000).toUTCString();
  return (req, res) => {
    const { body, etag } = isLegacy(req) ? shared : current;
    res.set({
      ETag: etag,
      "Last-Modified": lastModified,
      "Cache-Control": `public, max-age=${MAX_AGE_S}`,
      Vary: "A2A-Version",
    });
    if (isKnown(req.headers, etag, changedS)) res.status(304).end();
    else res.status(200).type("application/json").send(body);
  };
}

function represent(card: unknown): { readonly body: string; readonly etag: string } {
  const body = JSON.stringify(card);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}

/** By the tag where one is given; by the time only else, as RFC 9110 has it. */
function isKnown(headers: IncomingHttpHeaders, etag: string, changedS: number): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined)
    return tags.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && changedS * 1_000 <= since;
}
