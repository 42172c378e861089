import { virtualClock } from "@troupe/core/testing/virtual-clock";
import { LineBuffer } from "@troupe/stream";
import { z } from "zod";

import type { RunVector } from "./vector.ts";

const caseSchema = z.looseObject({
  /** Seconds. */
  flush_interval: z.number().positive().default(1),
  /** Seconds, what is done, and with which text. */
  ops: z.array(
    z.union([
      z.tuple([z.number(), z.literal("append"), z.string()]),
      z.tuple([z.number(), z.literal("flush")]).rest(z.string()),
    ]),
  ),
});

/** What a rate-limited client is sent, and when; time stops at the last operation. */
export const streamBufferVector: RunVector = async (vector) => {
  const { flush_interval, ops } = caseSchema.parse(vector);
  const clock = virtualClock(0);
  const sends: [number, string][] = [];
  const buffer = new LineBuffer({
    send: (text) => {
      sends.push([clock.now() / 1000, text]);
      return Promise.resolve();
    },
    clock,
    intervalMs: flush_interval * 1000,
  });
  for (const [seconds, operation, text = ""] of ops) {
    await clock.advance(Math.max(0, seconds * 1000 - clock.now()));
    if (operation === "append") buffer.append(text);
    else await buffer.flush();
    await clock.advance(0);
  }
  return { expect_sends: sends, expect_left: buffer.pending, expect_flushed_any: sends.length > 0 };
};
