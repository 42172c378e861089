import type { IncomingMessage } from "node:http";

import { InputError, type ArtifactStore } from "@troupe/core";
import type { ArtifactRef, Clock } from "@troupe/stream";

import { contentType } from "./content-headers.ts";

/** A sender has to bring at least so much in each window of time, or the last of it. */
const WINDOW_MS = 60_000;
const BYTES_A_WINDOW = 64 * 1024;

export interface ReceiveOptions {
  readonly owner: string;
  readonly name: string;
  readonly maxBytes: number;
  readonly clock: Clock;
}

/**
 * Takes a file in as it comes, at the disk's pace. Throws an `InputError` where it is too large, or not
 * what `Repr-Digest` or `Content-Digest` (RFC 9530) says it is; whoever sends too slowly is cut off.
 */
export async function receiveArtifact(
  store: ArtifactStore,
  request: IncomingMessage,
  { owner, name, maxBytes, clock }: ReceiveOptions,
): Promise<ArtifactRef> {
  const { headers } = request;
  if (Number(headers["content-length"] ?? 0) > maxBytes)
    throw new InputError(
      "input.too-large",
      `"${name}" is larger than the ${maxBytes} bytes a file may have.`,
    );
  const sha256 = digestOf(headers["repr-digest"] ?? headers["content-digest"]);
  let came = 0;
  let stop: () => void = () => undefined;
  const watch = (before: number): void => {
    stop = clock.schedule(WINDOW_MS, () => {
      if (came - before < BYTES_A_WINDOW) request.destroy(new Error("the sender was too slow"));
      else watch(came);
    });
  };
  async function* counted(): AsyncGenerator<Uint8Array> {
    // Kept open when it is left early: why the file is not taken is still to be said.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) {
      came += chunk.byteLength;
      yield chunk;
    }
  }
  watch(0);
  try {
    const meta = { name, mediaType: contentType(headers["content-type"] ?? ""), owner };
    return await store.put(counted(), meta, { maxBytes, ...(sha256 === undefined ? {} : { sha256 }) });
  } finally {
    stop();
  }
}

/** The sha256 among the digests, as lower-case hex; others are not for us. */
function digestOf(header: string | string[] | undefined): string | undefined {
  const value = /(?:^|,)\s*sha-256=:([^:]*):/i.exec(String(header ?? ""))?.[1];
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== 32 || bytes.toString("base64") !== value)
    throw new InputError("input.invalid", `The digest "${value.slice(0, 60)}" is no sha-256 in base64.`);
  return bytes.toString("hex");
}
