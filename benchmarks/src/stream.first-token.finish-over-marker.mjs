// Time to the first text of the answer when one model writes the same answer in pieces of 4 characters
// every 20 ms: in finish mode (ours) over marker mode (peer). In structured mode the model writes a
// draft for 2 s before it is asked for the response, as it has to end before the call for that begins.
import { setTimeout as sleep } from "node:timers/promises";

import { importFrom } from "../lib/installed.mjs";
import { installCore } from "../lib/ours.mjs";
import { sized } from "../lib/smoke.mjs";
import { COMPLETE } from "../lib/task.mjs";

const CHARS = 4;
const EVERY_MS = 20;
const PREAMBLE_MS = sized(2_000, 200);
const ANSWER = "The water is clear down to nine metres, and colder than last year. [1]";
const RESPONSE = JSON.stringify({ content: ANSWER, ...COMPLETE });
const DRAFT = "x".repeat((PREAMBLE_MS / EVERY_MS) * CHARS);

let agent;
let runs = 0;

export const unit = "ms";
export const pairs = 15;
export const warmup = 2;

export async function prepare() {
  const { createAgent } = await importFrom(installCore(), "@troupe/core");
  const config = {
    agent_type: "bench",
    name: "bench-agent",
    title: "Bench",
    description: "Measures.",
    system_prompt: "Measure the water.",
  };
  agent = createAgent(config, { model: pacedModel });
}

export const ours = () => firstToken("finish");
export const peer = () => firstToken("marker");

export async function figures() {
  const finish = median(await several(() => firstToken("finish")));
  const marker = median(await several(() => firstToken("marker")));
  const structured = await firstToken("structured");
  const round = (value) => Number(value.toPrecision(3));
  return {
    chunk_ms: EVERY_MS,
    finish_less_marker_chunks: round((finish - marker) / EVERY_MS),
    structured_ms: round(structured),
    structured_over_finish: round(structured / finish),
  };
}

async function several(measure) {
  const values = [];
  for (let at = 0; at < sized(5, 1); at++) values.push(await measure());
  return values;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Milliseconds from the request to the first text of an item that is born answer. */
async function firstToken(responseMode) {
  const request = { runId: `run-${++runs}`, text: "How is the water?", history: [], responseMode };
  const answers = new Set();
  const start = performance.now();
  let first;
  for await (const event of agent.run(request, { signal: new AbortController().signal })) {
    if (event.type === "text-start" && event.role === "answer") answers.add(event.itemId);
    if (event.type === "text-delta" && answers.has(event.itemId)) first ??= performance.now() - start;
    if (event.type === "finish" && event.response.content !== ANSWER) throw new Error(event.error?.message);
  }
  return first;
}

const pacedModel = {
  id: "paced",
  async *stream(request) {
    if (request.tools.some((tool) => tool.name === "finish")) {
      yield { type: "tool-call-start", callId: "1", name: "finish" };
      for await (const delta of paced(RESPONSE)) yield { type: "tool-call-delta", callId: "1", delta };
      yield { type: "tool-call-end", callId: "1" };
      yield { type: "stop", reason: "tool-calls" };
      return;
    }
    for await (const text of paced(textFor(request))) yield { type: "text-delta", text };
    yield { type: "stop", reason: "end" };
  },
};

function textFor(request) {
  if (request.responseFormat) return RESPONSE;
  return request.system.includes("[FINAL ANSWER]") ? `[FINAL ANSWER]\n${ANSWER}` : DRAFT;
}

async function* paced(text) {
  for (let at = 0; at < text.length; at += CHARS) {
    await sleep(EVERY_MS);
    yield text.slice(at, at + CHARS);
  }
}
