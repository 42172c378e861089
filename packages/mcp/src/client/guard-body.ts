import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";

import { FAILURE_KEY, toFailure } from "./classify.ts";
import { LinkFailure } from "./failure.ts";

export interface GuardOptions {
  /** The request this body answers. */
  readonly id: string | number | undefined;
  /** Server-sent events, else one JSON document. */
  readonly isStream: boolean;
  readonly maxBytes: number;
  readonly onEnd: () => void;
}

/**
 * Passes an answer on, at most `maxBytes` of it. A stream that ends gets one more event, an error
 * answer to its request: nothing happens when the real answer stood before it, and otherwise the
 * caller learns at once that the connection broke. A stream with event ids is left alone, because
 * the transport resumes it.
 */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  options: GuardOptions,
): ReadableStream<Uint8Array> {
  const { id, isStream, maxBytes, onEnd } = options;

  async function* pass(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    let resumable = false;
    let failure = new LinkFailure("lost", "the connection broke");
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new LinkFailure("too-large", `the answer has more than ${maxBytes} bytes`);
        resumable ||= isStream && hasEventId(chunk);
        yield chunk;
      }
    } catch (error) {
      failure = toFailure(error);
      if (!isStream) throw failure;
    } finally {
      onEnd();
    }
    if (isStream && id !== undefined && (!resumable || failure.kind === "too-large")) {
      yield errorEvent(id, failure);
    }
  }
  return ReadableStream.from(pass());
}

/** A line that starts with `id:`. */
function hasEventId(chunk: Uint8Array): boolean {
  return /(^|\n)id:/.test(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1"));
}

/** The blank lines before it end an event that was cut in the middle. */
function errorEvent(id: string | number, failure: LinkFailure): Uint8Array {
  const error = {
    code: ErrorCode.ConnectionClosed,
    message: failure.detail,
    data: { [FAILURE_KEY]: failure.kind },
  };
  return Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`);
}
