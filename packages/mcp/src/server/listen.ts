import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { InputError } from "@troupe/core";

/** Starts listening and returns the port. A taken port is an `InputError` that says so. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError(
      "input.invalid",
      `Port ${port} on ${host} is taken. Stop what uses it, or set another port (0 takes a free one).`,
      { cause: error },
    );
  }
  if (error.code === "EACCES") {
    return new InputError("input.invalid", `Port ${port} on ${host} is not allowed. Set one above 1023.`, {
      cause: error,
    });
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new InputError("input.invalid", `Host "${host}" is not an address of this machine.`, {
      cause: error,
    });
  }
  return error;
}
