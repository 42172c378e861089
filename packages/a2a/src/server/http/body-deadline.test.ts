import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { silentLog, type Log } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import type { Express } from "express";
import { describe, expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { connectAgent } from "../../client/index.ts";
import { answering, collect, scriptedAgent, withServed } from "../../testing/index.ts";
import { whileTimePasses } from "../../testing/while-time-passes.ts";

const { signal } = new AbortController();

it("ends a connection whose body comes too slowly, and leaves it to those that may take their time", async () => {
  const clock = virtualClock();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const routes = (app: Express): void => {
    app.put("/:at", (req, res) => {
      begun[Number(req.params.at)]?.resolve();
      req.resume().once("end", () => res.end("whole"));
    });
  };
  const agent = scriptedAgent(() => answering(["hello"]));
  const options = {
    agent,
    clock,
    routes,
    takesTime: ({ url }: { url?: string | undefined }) => url === "/1",
  };
  await withServed(options, async ({ url }) => {
    const send = (at: number): { socket: Socket; said: () => string } => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      let said = "";
      socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
      socket.write(`PUT /${at} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab`);
      return { socket, said: () => said };
    };
    const [slow, patient] = [send(0), send(1)];
    await Promise.all(begun.map(({ promise }) => promise));
    await yieldToLoop();
    const closed = once(slow.socket, "close");
    await clock.advance(60_000);
    await closed;
    expect(slow.said()).toMatch(/^HTTP\/1.1 408 /);
    const answered = once(patient.socket, "data");
    patient.socket.write("cd");
    await answered;
    expect(patient.said()).toMatch(/^HTTP\/1.1 200 /);
    patient.socket.destroy();
  });
});

it("waits for nobody's body once it has answered", async () => {
  const clock = virtualClock();
  const agent = scriptedAgent(() => answering(["hello"]));
  await withServed({ agent, clock, takesTime: () => true }, async ({ url }) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const answered = once(socket, "data");
    socket.write("PUT /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab");
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 404 /);
    const closed = once(socket, "close");
    await clock.advance(60_000);
    await closed;
  });
});

describe.each(["/a2a/jsonrpc", "/a2a/jsonrpc/", "/a2a/rest/message:send"])(
  "a call to %s that stalls",
  (path) => {
    it.each([
      ["too large by its length", "application/json\r\nContent-Length: 900000000", "{"],
      ["of no length", "application/json\r\nTransfer-Encoding: chunked", "1\r\n{\r\n"],
      ["of a named charset", "application/json; charset=utf-8\r\nContent-Length: 9", "{"],
      ["compressed", "application/json\r\nContent-Encoding: gzip\r\nContent-Length: 99", "abc"],
      ["plain", "application/json\r\nContent-Length: 9", "{"],
    ])("is ended, and others are served: %s", async (_, type, body) => {
      const clock = virtualClock();
      const failed: unknown[] = [];
      const log: Log = { ...silentLog, child: () => log, error: (_text, fields) => failed.push(fields) };
      const agent = scriptedAgent(() => answering(["hello"]));
      await withServed({ agent, clock, log }, async ({ url }) => {
        // As many as may send large bodies at a time, so that one that kept its place would be missed.
        const stalls = Array.from({ length: 32 }, async () => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1");
          let said = "";
          socket
            .on("data", (chunk: Buffer) => (said += chunk.toString("latin1")))
            .on("error", () => undefined);
          socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n\r\n${body}`);
          await once(socket, "close");
          return said;
        });
        const ended = await whileTimePasses(clock, 60_000, Promise.all(stalls));
        for (const said of ended) expect(said).toMatch(/^HTTP\/1.1 (408|413) /);
        const connection = await connectAgent(url, { signal });
        const end = (await collect(connection.stream({ text: "x".repeat(200_000) }, { signal }))).at(-1);
        expect(end).toMatchObject({ outcome: "completed" });
      });
      expect(failed).toEqual([]);
    });
  },
);
