import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { faultProxy } from "./fault-proxy.ts";
import { virtualClock } from "./virtual-clock.ts";

async function echoing() {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = virtualClock();
  const proxy = await faultProxy({ targetPort: (server.address() as AddressInfo).port, clock });
  const open = async () => {
    const socket = connect(proxy.port, "127.0.0.1");
    await once(socket, "connect");
    // Closing the proxy resets what is still open.
    socket.on("error", () => undefined);
    return socket;
  };
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { proxy, clock, open };
}

/** Reads until that many bytes have come. */
async function read(socket: Awaited<ReturnType<Awaited<ReturnType<typeof echoing>>["open"]>>, bytes: number) {
  let text = "";
  while (text.length < bytes) text += ((await once(socket, "data")) as [Buffer])[0].toString();
  return text;
}

describe("the fault proxy", () => {
  it("passes bytes on, whole or in slices", async () => {
    const { proxy, open } = await echoing();
    const socket = await open();
    socket.write("hello");
    expect(await read(socket, 5)).toBe("hello");
    await proxy.set({ kind: "slices", bytes: 2 });
    socket.write("again");
    expect(await read(socket, 5)).toBe("again");
    expect(proxy.connections).toBe(1);
  });

  it("keeps bytes for as long as its clock says", async () => {
    const { proxy, open, clock } = await echoing();
    await proxy.set({ kind: "latency", ms: 100 });
    const socket = await open();
    const echoed = read(socket, 5);
    socket.write("hello");
    // Once on the way there, once on the way back.
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(100);
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(100);
    expect(await echoed).toBe("hello");
  });

  it("resets, refuses and comes back on the same port", async () => {
    const { proxy, open } = await echoing();
    const socket = await open();
    const failed = once(socket, "error").catch((error: unknown) => error);
    socket.write("x");
    await read(socket, 1);
    const port = proxy.port;
    await proxy.set({ kind: "reset" });
    expect(await failed).toMatchObject([{ code: "ECONNRESET" }]);
    await proxy.set({ kind: "refuse" });
    await expect(open()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await proxy.set({ kind: "none" });
    expect(proxy.port).toBe(port);
    (await open()).destroy();
  });
});
