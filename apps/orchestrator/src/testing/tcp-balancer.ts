import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface TcpBalancer {
  readonly url: string;
  close(): Promise<void>;
}

/** One address before several ports of this machine: each connection goes to the first that takes it. */
export async function tcpBalancer(ports: () => readonly number[]): Promise<TcpBalancer> {
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    return socket.once("close", () => open.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const tryNext = ([port, ...others]: readonly number[]): void => {
      if (port === undefined) {
        client.destroy();
        return;
      }
      const upstream = keep(connect(port, "127.0.0.1"));
      const refused = (): void => tryNext(others);
      upstream.once("error", refused);
      upstream.once("connect", () => {
        upstream.off("error", refused);
        client.pipe(upstream).pipe(client);
        client.once("close", () => upstream.destroy());
        upstream.once("close", () => client.destroy());
      });
    };
    tryNext(ports());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
