import { once } from "node:events";
import type { ServerResponse } from "node:http";

import { serveHttp } from "@troupe/core/testing";
import { expect, it, onTestFinished } from "vitest";

import { presenceAt } from "./presence.ts";

/** A response whose caller has left before anything was answered. */
async function abandoned(before: (res: ServerResponse) => void = () => undefined): Promise<ServerResponse> {
  const asked = Promise.withResolvers<ServerResponse>();
  const { url, close } = await serveHttp((_req, res) => {
    before(res);
    asked.resolve(res);
  });
  onTestFinished(close);
  const leaving = new AbortController();
  const answer = fetch(url, { signal: leaving.signal });
  const res = await asked.promise;
  leaving.abort();
  await expect(answer).rejects.toThrow(/abort/);
  if (!res.closed) await once(res, "close");
  return res;
}

it("tells of a caller that leaves", async () => {
  const seen: ReturnType<typeof presenceAt>[] = [];
  await abandoned((res) => seen.push(presenceAt(res)));
  const [presence] = seen;
  const gone = presence?.gone();
  await presence?.left;
  expect(gone?.aborted).toBe(true);
});

it("tells of one that had left before it was asked", async () => {
  const presence = presenceAt(await abandoned());
  const gone = presence.gone();
  await presence.left;
  expect(gone.aborted).toBe(true);
});
