import type { Server } from "node:net";

import { InputError } from "@troupe/core";

/** Resolves once it listens. Throws an `InputError` that says why it cannot. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `port ${port} on ${host}`;
      const why =
        error.code === "EADDRINUSE"
          ? `Cannot listen on ${where}: it is taken. Choose another port, or stop what listens there.`
          : `Cannot listen on ${where}: ${error.code ?? error.message}.`;
      reject(new InputError("input.invalid", why, { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
}
