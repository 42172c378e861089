import type { Endpoint } from "./endpoint.ts";

/** A call as it goes out. */
export interface Call {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The one message of a capture. */
export interface Question {
  readonly messageId: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Asks for a stream, or for the answer once it is there. */
export function askCall(to: Endpoint, question: Question, how: "stream" | "send"): Call {
  const { messageId, text, metadata } = question;
  const more = metadata === undefined ? {} : { metadata };
  const legacy = to.protocol === "0.3";
  const message = legacy
    ? { kind: "message", messageId, role: "user", parts: [{ kind: "text", text }], ...more }
    : { messageId, role: "ROLE_USER", parts: [{ text }], ...more };
  // 1.0 waits for the end unless it is told not to.
  const params = legacy && how === "send" ? { message, configuration: { blocking: true } } : { message };
  const accept = how === "stream" ? "text/event-stream" : "application/json";
  if (to.binding === "HTTP+JSON")
    return {
      url: under(to, `/message:${how}`),
      method: "POST",
      headers: headersOf(to, accept),
      body: JSON.stringify(to.tenant === "" ? params : { ...params, tenant: to.tenant }),
    };
  return rpc(to, METHODS[legacy ? "0.3" : "1.0"][how], params, accept);
}

/** Asks how a task stands. */
export function getCall(to: Endpoint, taskId: string): Call {
  if (to.binding === "HTTP+JSON")
    return {
      url: under(to, `/tasks/${encodeURIComponent(taskId)}`),
      method: "GET",
      headers: headersOf(to, "application/json"),
    };
  return rpc(to, METHODS[to.protocol === "0.3" ? "0.3" : "1.0"].get, { id: taskId }, "application/json");
}

const METHODS = {
  "1.0": { stream: "SendStreamingMessage", send: "SendMessage", get: "GetTask" },
  "0.3": { stream: "message/stream", send: "message/send", get: "tasks/get" },
} as const;

function rpc(to: Endpoint, method: string, params: object, accept: string): Call {
  const whole = to.tenant === "" ? params : { ...params, tenant: to.tenant };
  return {
    url: to.url,
    method: "POST",
    headers: headersOf(to, accept),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: whole }),
  };
}

function headersOf(to: Endpoint, accept: string): Record<string, string> {
  return {
    Accept: accept,
    "Content-Type": "application/json",
    // A request without it speaks 0.3.
    ...(to.protocol === "0.3" ? {} : { "A2A-Version": to.protocol }),
  };
}

/** A path of the REST binding below the endpoint, whose query stays. */
function under(to: Endpoint, path: string): string {
  const url = new URL(to.url);
  const tenant = to.tenant === "" ? "" : `/${encodeURIComponent(to.tenant)}`;
  url.pathname = `${url.pathname.replace(/\/$/, "")}${tenant}${path}`;
  return url.href;
}
