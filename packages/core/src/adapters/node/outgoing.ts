import { NetworkError } from "../../errors/network-error.ts";
import type { Fetch } from "../../ports/fetch.ts";

/** One request as it is sent, and sent again where it is redirected. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What fetch is given, as one request. A stream to send is read to its end first. */
export async function toOutgoing(
  input: Parameters<Fetch>[0],
  init: RequestInit,
): Promise<Outgoing & { readonly redirect: NonNullable<RequestInit["redirect"]> }> {
  const request = input instanceof Request ? input : undefined;
  const url = httpUrl(typeof input === "string" ? input : "url" in input ? input.url : input.href);
  const method = init.method ?? request?.method ?? "GET";
  const headers = new Headers(init.headers ?? request?.headers);
  if (!headers.has("Accept")) headers.set("Accept", "*/*");
  const source = init.body ?? request?.body ?? undefined;
  const signal = init.signal ?? request?.signal;
  return {
    url,
    method: /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
    headers,
    body: source === undefined || typeof source === "string" ? source : await bytesOf(source, headers),
    signal: signal ?? undefined,
    redirect: init.redirect ?? request?.redirect ?? "follow",
  };
}

async function bytesOf(
  source: Exclude<NonNullable<RequestInit["body"]>, string>,
  headers: Headers,
): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array) return new Uint8Array(source);
  const read = new Response(source);
  const type = read.headers.get("Content-Type");
  if (type !== null && !headers.has("Content-Type")) headers.set("Content-Type", type);
  return new Uint8Array(await read.arrayBuffer());
}

/** Throws a `NetworkError` for any other scheme, and for a name or a password in the address. */
export function httpUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  const from = base === undefined ? "" : ` that ${base.host} leads to`;
  if (url === null)
    throw new NetworkError("network.refused", `The address${from} cannot be read. Write http://host:port.`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new NetworkError(
      "network.refused",
      `The address${from} is of the scheme "${url.protocol}". Only http and https are called.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new NetworkError(
      "network.refused",
      `The address of ${url.host}${from} holds a name or a password. Leave them out of it.`,
    );
  return url;
}
