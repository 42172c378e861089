// A client that does as little as it can: what is measured is the server.
import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** One answer, not streamed: the result of the call. */
export async function send(url, work) {
  return call(url, "SendMessage", { message: message(work) });
}

export async function getTask(url, id) {
  return call(url, "GetTask", { id });
}

async function call(url, method, params) {
  const response = await post(url, method, params);
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  const { result, error } = JSON.parse(text);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

/**
 * A streamed answer to its end. Gives milliseconds to the first event, and to the end; the task's id;
 * the number of events and of their characters.
 */
export async function stream(url, work) {
  const asked = performance.now();
  const response = await post(url, "SendStreamingMessage", { message: message(work) });
  response.setEncoding("utf8");
  let first;
  let head = "";
  let tail = "";
  let characters = 0;
  let events = 0;
  for await (const chunk of response) {
    first ??= performance.now() - asked;
    if (head.length < 4_000) head += chunk;
    characters += chunk.length;
    events += count(tail.slice(-1) + chunk);
    tail = (tail + chunk).slice(-4_000);
  }
  if (!tail.includes("TASK_STATE_COMPLETED"))
    throw new Error(`the answer did not end as completed: ${tail.slice(-300)}`);
  return { first, whole: performance.now() - asked, taskId: taskIdIn(head), events, characters };
}

/** Takes the first event of an answer, and then nothing more until `leave` is called. */
export async function stall(url, work) {
  const response = await post(url, "SendStreamingMessage", { message: message(work) }, false);
  const first = await new Promise((resolve, reject) => {
    response.once("data", resolve);
    response.once("error", reject);
  });
  response.pause();
  response.on("error", () => undefined);
  return { taskId: taskIdIn(String(first)), leave: () => response.destroy() };
}

/** Does `times` pieces of work, `at` of them at a time; gives what came of each. */
export async function load(times, at, work) {
  const results = [];
  let begun = 0;
  const worker = async () => {
    while (begun < times) {
      begun++;
      results.push(await work());
    }
  };
  await Promise.all(Array.from({ length: at }, worker));
  return results;
}

/** Of the values, sorted, the one below which `share` of them lie. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function post(url, method, params, keepAlive = true) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "A2A-Version": "1.0",
  };
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers, agent: keepAlive ? agent : false };
    const sent = request(url, options, (response) => {
      if (response.statusCode === 200) resolve(response);
      else {
        response.resume();
        reject(new Error(`${method}: HTTP ${response.statusCode}`));
      }
    });
    sent.on("error", (error) => {
      // The bare server closes a connection that rested for 5 s, at times just as it is used again.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(post(url, method, params, keepAlive));
      else reject(error);
    });
    sent.end(body);
  });
}

function taskIdIn(frames) {
  return /"task":\{"id":"([^"]+)"/.exec(frames)?.[1];
}

function message(work) {
  return { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: JSON.stringify(work) }] };
}

function count(text) {
  let found = 0;
  for (let at = text.indexOf("\ndata:"); at >= 0; at = text.indexOf("\ndata:", at + 1)) found++;
  return text.startsWith("data:") ? found + 1 : found;
}
