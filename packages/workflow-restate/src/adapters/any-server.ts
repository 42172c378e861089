import { StoreError } from "@troupe/core";

/** A request by its path, without the server it goes to. */
export type Request = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Requests to the servers of one cluster, which stand in for each other: what one cannot be reached for, the
 * next is asked. The one that answered last is asked first. For what may be asked twice.
 * Throws a `StoreError` when none can be reached.
 */
export function anyServer(urls: readonly string[], headers: Readonly<Record<string, string>>): Request {
  const bases = urls.map((url) => url.replace(/\/+$/, ""));
  let first = 0;
  return async (path, init) => {
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    let cause: unknown;
    for (const n of bases.keys()) {
      const index = (first + n) % bases.length;
      try {
        const response = await fetch(`${bases[index]}${path}`, { ...init, headers: sent, redirect: "error" });
        first = index;
        return response;
      } catch (error) {
        if (init.signal?.aborted === true) throw error;
        cause = error;
      }
    }
    const message = `Restate cannot be reached at ${bases.join(", ")}; is it running?`;
    throw new StoreError("store.io", message, { cause, retryable: true });
  };
}
