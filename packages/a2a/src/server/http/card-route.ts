import { createHash } from "node:crypto";

import type { AgentCard } from "@a2a-js/sdk";
import { isUnchanged } from "@troupe/core";
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
  const lastModified = new Date(changedMs).toUTCString();
  return (req, res) => {
    const { body, etag } = isLegacy(req) ? shared : current;
    res.set({
      ETag: etag,
      "Last-Modified": lastModified,
      "Cache-Control": `public, max-age=${MAX_AGE_S}`,
      Vary: "A2A-Version",
    });
    if (isUnchanged(req.headers, { etag, modifiedAt: changedMs })) res.status(304).end();
    else res.status(200).type("application/json").send(body);
  };
}

function represent(card: unknown): { readonly body: string; readonly etag: string } {
  const body = JSON.stringify(card);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}
