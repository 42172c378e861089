import { connect } from "node:net";

import { gate, serveHttp, virtualClock } from "@troupe/core/testing";
import express from "express";
import { expect, it } from "vitest";

import { presenceAt } from "../presence.ts";
import { begin, writeSse } from "./sse.ts";

/** One turn of the event loop, in which sockets move on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("lets go of a reader that never reads, and takes no more than fits on its way", async () => {
  const clock = virtualClock();
  let taken = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      taken++;
      yield "x".repeat(1_000_000);
      // As frames of a task come: not all in one turn of the loop.
      await turn();
    }
  }
  const ended = new AbortController();
  const app = express();
  app.get("/", async (_req, res) => {
    const rest = endless();
    const options = { clock, gone: presenceAt(res).gone(), idOf: () => "e.1", errorFrame: () => ({}) };
    await writeSse(res, await begin(rest, clock), options);
    ended.abort();
  });
  const { url, close } = await serveHttp(app);
  const reader = connect(Number(new URL(url).port), "127.0.0.1").pause();
  try {
    reader.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    while (!ended.signal.aborted) {
      await clock.advance(300_000);
      await turn();
    }
    expect(taken).toBeLessThan(100);
    expect(clock.pending).toBe(0);
  } finally {
    reader.destroy();
    close();
  }
});

it("begins without a first frame when that lets wait for itself, and keeps the line alive", async () => {
  const clock = virtualClock();
  const go = gate();
  const asked = gate();
  async function* late(): AsyncGenerator<string> {
    asked.open();
    await go.opened;
    yield "there";
  }
  const app = express();
  app.get("/", async (_req, res) => {
    const options = { clock, gone: presenceAt(res).gone(), idOf: () => undefined, errorFrame: () => ({}) };
    await writeSse(res, await begin(late(), clock), options);
  });
  const { url, close } = await serveHttp(app);
  try {
    const answer = fetch(url);
    await asked.opened;
    await clock.advance(1_000);
    const { headers, body } = await answer;
    expect(headers.get("content-type")).toContain("text/event-stream");
    await clock.advance(15_000);
    go.open();
    expect(await new Response(body).text()).toBe(': alive\n\ndata: "there"\n\n');
    expect(clock.pending).toBe(0);
  } finally {
    close();
  }
});
