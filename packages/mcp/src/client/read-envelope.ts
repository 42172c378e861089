/** What a JSON-RPC message is, without its content. */
export interface Envelope {
  /** Set on requests, which want an answer. */
  readonly id: string | number | undefined;
  /** The request that a cancel notification is about. */
  readonly cancels: string | number | undefined;
}

/** Reads a body that the SDK wrote. */
export function readEnvelope(body: unknown): Envelope {
  const message: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
  if (typeof message !== "object" || message === null) return { id: undefined, cancels: undefined };
  const { id, method, params } = message as {
    id?: unknown;
    method?: unknown;
    params?: { requestId?: unknown };
  };
  return {
    id: method === undefined ? undefined : asId(id),
    cancels: method === "notifications/cancelled" ? asId(params?.requestId) : undefined,
  };
}

function asId(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
