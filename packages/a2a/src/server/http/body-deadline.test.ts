import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { virtualClock } from "@troupe/core/testing";
import type { Express } from "express";
import { expect, it } from "vitest";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

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
