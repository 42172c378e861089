import type { Fetch } from "@troupe/core";

import { isObject, listOf, parseJson, recordOf, type JsonRecord } from "../wire/json.ts";

/** What is done to requests on their way, and to answers on their way back. */
export interface Fault {
  /** Parameters of a call with a body. */
  readonly params?: (params: JsonRecord) => JsonRecord;
  readonly address?: (address: string) => string;
  readonly headers?: (headers: Headers) => void;
  /** A result or an error, without what the binding wraps it in. */
  readonly answer?: (value: JsonRecord, kind: "result" | "error") => JsonRecord;
  /** All StreamResponses of a stream. */
  readonly frames?: (frames: readonly JsonRecord[]) => readonly JsonRecord[];
  /** JSON of any kind, as it is written. */
  readonly text?: (text: string) => string;
  readonly bytes?: (bytes: Uint8Array) => Uint8Array;
  /** Headers of the answer; null leaves one out. */
  readonly head?: { readonly [name: string]: string | null };
  readonly status?: (status: number) => number;
  /** Requests that match, by method, address and body, are answered with nothing and not handed on. */
  readonly swallows?: RegExp;
  /** Streams bring all they have, and do not end. */
  readonly hangs?: true;
}

/** A server with a fault, made of one without: what a client that fetches by this gets to see. */
export function faultyFetch(fault: Fault): Fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    fault.headers?.(headers);
    const sent = recordOf(parseJson(typeof init?.body === "string" ? init.body : ""));
    const rpc = sent?.["jsonrpc"] !== undefined;
    const given = input instanceof Request ? input.url : String(input);
    const address = fault.address?.(given) ?? given;
    if (fault.swallows?.test(`${init?.method ?? "GET"} ${address} ${JSON.stringify(sent)}`) === true)
      return Response.json(rpc ? { jsonrpc: "2.0", id: sent?.["id"], result: {} } : {});
    const response = await fetch(address, {
      ...init,
      headers,
      ...(sent === undefined || fault.params === undefined
        ? {}
        : { body: JSON.stringify(changed(sent, fault.params, rpc)) }),
    });
    if (response.status === 304) return response;
    const head = new Headers(response.headers);
    head.delete("content-length");
    for (const [name, value] of Object.entries(fault.head ?? {}))
      if (value === null) head.delete(name);
      else head.set(name, value);
    const status = fault.status?.(response.status) ?? response.status;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = isStream ? await streamed(response, fault, rpc) : await plain(response, fault, rpc);
    return new Response(body, { status, headers: head });
  };
}

function changed(sent: JsonRecord, change: NonNullable<Fault["params"]>, rpc: boolean): JsonRecord {
  return rpc ? { ...sent, params: change(recordOf(sent["params"]) ?? {}) } : change(sent);
}

async function plain(response: Response, fault: Fault, rpc: boolean): Promise<Buffer> {
  const given = await response.text();
  const value = parseJson(given);
  const told =
    isObject(value) && fault.answer !== undefined
      ? JSON.stringify(answered(value, fault.answer, rpc))
      : given;
  const bytes = new TextEncoder().encode(fault.text?.(told) ?? told);
  return Buffer.from(fault.bytes?.(bytes) ?? bytes);
}

function answered(value: JsonRecord, change: NonNullable<Fault["answer"]>, rpc: boolean): JsonRecord {
  const error = recordOf(value["error"]);
  if (error !== undefined) return { ...value, error: change(error, "error") };
  return rpc
    ? { ...value, result: change(recordOf(value["result"]) ?? {}, "result") }
    : change(value, "result");
}

async function streamed(
  response: Response,
  { frames, text, hangs }: Fault,
  rpc: boolean,
): Promise<ReadableStream | string | null> {
  if (frames === undefined && text === undefined && hangs === undefined) return response.body;
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const whole = lines.map((line) => recordOf(parseJson(line.slice(6))) ?? {});
  const inner = whole.map((frame) => (rpc ? (recordOf(frame["result"]) ?? {}) : frame));
  const told = (frames?.(inner) ?? inner)
    .map((frame) => JSON.stringify(rpc ? { ...whole[0], result: frame } : frame))
    .map((frame) => `data: ${text?.(frame) ?? frame}\n\n`)
    .join("");
  if (hangs === undefined) return told;
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(told)),
  });
}

/** A fault in the tasks of a list. */
export function inList(change: (tasks: readonly JsonRecord[]) => readonly JsonRecord[]): Fault {
  return {
    answer: (value) =>
      "tasks" in value
        ? { ...value, tasks: change(listOf(value["tasks"]).map((task) => recordOf(task) ?? {})) }
        : value,
  };
}

/** A fault in each task that is answered alone. */
export function inTask(change: (task: JsonRecord) => JsonRecord): Fault {
  return {
    answer: (value) => {
      const task = recordOf(value["task"]);
      if (task !== undefined) return { ...value, task: change(task) };
      return "status" in value && "id" in value ? change(value) : value;
    },
  };
}

/** A fault in each update of an artifact. */
export function inUpdate(change: (update: JsonRecord) => JsonRecord): Fault {
  return {
    frames: (frames) =>
      frames.map((frame) => {
        const update = recordOf(frame["artifactUpdate"]);
        return update === undefined ? frame : { artifactUpdate: change(update) };
      }),
  };
}

/** The server passes over a parameter. */
export function deaf(name: string): Fault {
  return {
    params: (params) => ({ ...params, [name]: undefined }),
    address: (address) =>
      address.replace(new RegExp(`[?&]${name}=[^&]*`), (all) => (all.startsWith("?") ? "?" : "")),
  };
}
