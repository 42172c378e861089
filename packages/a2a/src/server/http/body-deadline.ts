import type { IncomingMessage } from "node:http";

import type { Clock } from "@troupe/stream";

import { yieldToLoop } from "../../adapters/yield-to-loop.ts";
import type { Step } from "./step.ts";

/**
 * Ends the connection of a request whose body has not come whole in time, whoever reads it. Node has
 * a limit of its own for that, but one for all: a large file that is handed in may take longer, and
 * whoever takes it in sees to a slow sender, until it has answered. `takesTime` names such requests. Most
 * bodies come with their head and are there a turn of the loop later: those need no timer.
 */
export function bodyDeadline(options: {
  readonly ms: number;
  readonly clock: Clock;
  readonly takesTime: (request: IncomingMessage) => boolean;
}): Step {
  const { ms, clock, takesTime } = options;
  return (req, res, next) => {
    if (hasBody(req)) {
      const begin = (): void => {
        if (req.complete || req.destroyed) return;
        const stop = clock.schedule(ms, () => {
          if (req.complete) return;
          // The request and not only its socket: of an answered one nobody else tells that it has closed.
          if (res.headersSent) req.destroy();
          else res.writeHead(408, { Connection: "close" }).end(() => req.destroy());
        });
        req.once("close", stop);
      };
      // Once it is answered nobody takes it in any more, such as one that was refused at the door.
      if (takesTime(req)) res.once("finish", begin);
      else void yieldToLoop().then(begin);
    }
    next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
