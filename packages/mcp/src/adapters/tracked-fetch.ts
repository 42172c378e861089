import type { Clock } from "@troupe/stream";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";

import { fromStatus, toFailure } from "../client/classify.ts";
import { guardBody } from "../client/guard-body.ts";
import { readEnvelope } from "../client/read-envelope.ts";

export interface TrackedFetchOptions {
  readonly clock: Clock;
  /** A notification that nobody takes is given up after this long, in milliseconds. */
  readonly noticeTimeoutMs: number;
  readonly maxResponseBytes: number;
  /** The server's own stream to us ended; what it would have said is lost. */
  readonly onListenEnd: () => void;
}

/**
 * `fetch` as the SDK's transports need it, so that no request can outlive its caller: a cancelled
 * one is taken off the wire, and one whose answer breaks off gets an error answer at once, where
 * the SDK alone would wait for ever. Throws `LinkFailure`.
 */
export function trackedFetch(options: TrackedFetchOptions): FetchLike {
  const running = new Map<string | number, AbortController>();

  const listen = async (url: string | URL, init: RequestInit | undefined): Promise<Response> => {
    const response = await fetch(url, init).catch((error: unknown) => Promise.reject(toFailure(error)));
    if (!response.ok || !response.body) return response;
    return new Response(watchEnd(response.body, options.onListenEnd), response);
  };

  return async (url, init) => {
    if (init?.method !== "POST") return listen(url, init);
    const { id, cancels } = readEnvelope(init.body);
    if (cancels !== undefined) running.get(cancels)?.abort();

    const own = new AbortController();
    const onClose = (): void => own.abort();
    init.signal?.addEventListener("abort", onClose, { once: true });
    if (init.signal?.aborted === true) onClose();
    const cancelTimer =
      id === undefined ? options.clock.schedule(options.noticeTimeoutMs, onClose) : undefined;
    if (id !== undefined) running.set(id, own);
    const over = (): void => {
      cancelTimer?.();
      init.signal?.removeEventListener("abort", onClose);
      if (id !== undefined) running.delete(id);
    };

    try {
      const response = await fetch(url, { ...init, signal: own.signal });
      if (response.status >= 400) {
        const hadSession = new Headers(init.headers).has("mcp-session-id");
        throw fromStatus(response.status, (await response.text()).slice(0, 2_000), hadSession);
      }
      if (!response.body || response.status === 202) {
        over();
        return response;
      }
      const body = guardBody(response.body, {
        id,
        isStream: /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? ""),
        maxBytes: options.maxResponseBytes,
        onEnd: over,
      });
      return new Response(body, response);
    } catch (error) {
      over();
      throw toFailure(error);
    }
  };
}

function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } finally {
      onEnd();
    }
  }
  return ReadableStream.from(pass());
}
