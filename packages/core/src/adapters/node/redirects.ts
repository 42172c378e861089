import { httpUrl, type Outgoing } from "./outgoing.ts";

/** What may be told to another origin than the one it was meant for. Any other header may be a secret. */
const HARMLESS = new Set([
  "accept",
  "accept-language",
  "a2a-extensions",
  "a2a-version",
  "content-type",
  "range",
  "user-agent",
]);

/** Whether an answer sends the caller elsewhere. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * The request that a redirect asks for, by the rules of fetch, and stricter where it leads to another
 * origin: no header goes there that is not known to be harmless. Throws a `NetworkError` where it leads
 * to what is no address of http.
 */
export function redirected(request: Outgoing, status: number, location: string): Outgoing {
  const url = httpUrl(location, request.url);
  const asGet = (status === 303 && request.method !== "HEAD") || (status <= 302 && request.method === "POST");
  const headers = new Headers();
  for (const [name, value] of request.headers) {
    if (url.origin !== request.url.origin && !HARMLESS.has(name)) continue;
    if (asGet && name.startsWith("content-")) continue;
    headers.set(name, value);
  }
  return asGet ? { ...request, url, headers, method: "GET", body: undefined } : { ...request, url, headers };
}
