import type { IncomingMessage } from "node:http";

import { InputError } from "@troupe/core";

/** Bytes of an answer at most; a plan that is handed in with one is far smaller. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a body that must say it is JSON: a page of another origin cannot send that without being asked.
 * Throws an `InputError`.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/json")
    throw new InputError("input.invalid", "Send the answer as application/json.");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES)
      throw new InputError("input.too-large", `The answer is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw new InputError("input.invalid", "The answer is not JSON.", { cause });
  }
}
