import type { Fetch } from "@troupe/core";

import type { JsonRecord } from "../../wire/json.ts";
import type { Binding } from "../requirement.ts";
import { readAnswer, type Answer } from "./answer.ts";
import { OPERATIONS, type Operation, type RestForm } from "./operations.ts";
import { openStream, type EventStream } from "./stream.ts";

/** How one request differs from the usual ones. */
export interface How {
  /** Beside the usual headers; null leaves one out. */
  readonly headers?: { readonly [name: string]: string | null };
  /** Added to the address, such as `A2A-Version=1.0`. */
  readonly query?: string;
  /** Instead of the one that the operation has over HTTP+JSON. */
  readonly method?: "GET" | "POST";
}

/** One interface of an agent, spoken with nothing in between. */
export interface Wire {
  readonly binding: Binding;
  /** As the card has it. */
  readonly url: string;
  call(operation: Operation, params: JsonRecord, how?: How): Promise<Answer>;
  stream(
    operation: "SendStreamingMessage" | "SubscribeToTask",
    params: JsonRecord,
    how?: How,
  ): Promise<EventStream>;
  /** A body as it is to be sent, to the address with `path` added. */
  post(path: string, body: string, how?: How): Promise<Answer>;
}

export interface WireOptions {
  readonly binding: Binding;
  /** No trailing slash. */
  readonly url: string;
  /** Empty where there is none. */
  readonly tenant: string;
  readonly fetchImpl: Fetch;
  readonly headers: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  readonly newId: () => string;
}

type HttpBinding = Exclude<Binding, "GRPC">;

const MEDIA_TYPE = { JSONRPC: "application/json", "HTTP+JSON": "application/a2a+json" } as const;

export function openWire(options: WireOptions & { readonly binding: HttpBinding }): Wire {
  const { binding, url, tenant, fetchImpl, signal, newId } = options;
  const send = (path: string, init: { method: string; body?: string }, how: How): Promise<Response> => {
    const headers = new Headers({ Accept: "application/json, application/a2a+json, text/event-stream" });
    if (init.body !== undefined) headers.set("Content-Type", MEDIA_TYPE[binding]);
    headers.set("A2A-Version", "1.0");
    for (const [name, value] of Object.entries({ ...options.headers, ...how.headers }))
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    const query = how.query === undefined ? "" : `${path.includes("?") ? "&" : "?"}${how.query}`;
    return fetchImpl(url + path + query, { ...init, headers, signal, redirect: "manual" });
  };
  const rpc = (operation: string, params: JsonRecord, how: How): Promise<Response> => {
    const whole = tenant === "" ? params : { tenant, ...params };
    const call = { jsonrpc: "2.0", id: newId(), method: operation, params: whole };
    return send("", { method: "POST", body: JSON.stringify(call) }, how);
  };
  const rest = (operation: Operation, params: JsonRecord, how: How): Promise<Response> => {
    const form: RestForm = OPERATIONS[operation];
    const prefix = tenant === "" ? "" : `/${encodeURIComponent(tenant)}`;
    const left = Object.entries(params).filter(([name]) => form.inPath?.includes(name) !== true);
    const method = how.method ?? form.method;
    const path = prefix + form.path(params);
    if (method === "POST") return send(path, { method, body: JSON.stringify(Object.fromEntries(left)) }, how);
    const query = new URLSearchParams(
      left.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return send(query === "" ? path : `${path}?${query}`, { method }, how);
  };
  const request = binding === "JSONRPC" ? rpc : rest;
  return {
    binding,
    url,
    call: async (operation, params, how = {}) => readAnswer(binding, await request(operation, params, how)),
    stream: async (operation, params, how = {}) => openStream(binding, await request(operation, params, how)),
    post: async (path, body, how = {}) =>
      readAnswer(binding, await send(path, { method: "POST", body }, how)),
  };
}
