// A program is notified when its task is done, and then asks for the answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { serveAgent } from "@troupe/a2a/server";

import { localAgent } from "./support/local-agent.ts";

const TOKEN = crypto.randomUUID();
const done = Promise.withResolvers<string>();
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await request.setEncoding("utf8").toArray()).join("");
  // Anybody can send to this address; only the agent knows the token.
  const known = request.headers["x-a2a-notification-token"] === TOKEN;
  response.writeHead(known ? 204 : 401).end();
  if (!known) return;
  const { statusUpdate } = JSON.parse(text) as {
    statusUpdate: { taskId: string; status: { state: string } };
  };
  if (statusUpdate.status.state === "TASK_STATE_COMPLETED") done.resolve(statusUpdate.taskId);
}
const receiver = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
await once(receiver, "listening");
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const agent = localAgent("echo-agent", (text) => `You said: ${text}`);
// Off by default; this receiver is neither public nor https, so it has to be allowed.
const served = await serveAgent({ agent, push: { allow: [hook] } });

async function call(method: string, params: object): Promise<unknown> {
  const response = await fetch(`${served.url}/a2a/jsonrpc`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

try {
  await call("SendMessage", {
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "hello" }] },
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: { url: `${hook}/tasks`, token: TOKEN },
    },
  });
  const task = JSON.stringify(await call("GetTask", { id: await done.promise }));
  assert.ok(task.includes("You said: hello"), task);
  process.stdout.write("notified\n");
} finally {
  await served.close();
  receiver.close();
}
