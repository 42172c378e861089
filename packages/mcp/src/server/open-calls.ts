type RequestId = string | number;

/** Which requests each open POST of a session waits for. A POST may hold a batch of them. */
export class OpenCalls {
  readonly #waiting = new Map<RequestId, Set<RequestId>>();

  /** Notes the requests of a POST. Call what it returns when the POST is over. */
  open(body: unknown): () => void {
    const ids = messagesOf(body).flatMap(({ id, method }) => (isId(id) && method !== undefined ? [id] : []));
    const waiting = new Set(ids);
    for (const id of ids) this.#waiting.set(id, waiting);
    return () => {
      for (const id of ids) if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  /** One request of each POST that has nothing left to wait for after the cancellations in `body`. */
  cancelledBy(body: unknown): readonly RequestId[] {
    return messagesOf(body).flatMap(({ method, params }) => {
      const id = method === "notifications/cancelled" ? params?.requestId : undefined;
      const waiting = isId(id) ? this.#waiting.get(id) : undefined;
      if (!isId(id) || waiting?.delete(id) !== true || waiting.size > 0) return [];
      return [id];
    });
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

function messagesOf(body: unknown): readonly Message[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter((message): message is Message => typeof message === "object" && message !== null);
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
