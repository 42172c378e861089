import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: 400 | 413; readonly message: string };

/** Reads at most `limit` bytes of JSON; the rest of a larger body is left unread. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<Body> {
  const tooLarge: Body = { ok: false, status: 413, message: `The body must not exceed ${limit} bytes.` };
  if (Number(request.headers["content-length"] ?? 0) > limit) return tooLarge;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limit) return tooLarge;
    parts.push(part);
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    return { ok: false, status: 400, message: "The body is not JSON." };
  }
}
