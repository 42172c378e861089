// The text tools of @troupe/stream by themselves: the answer found in a stream, and sent in few pieces.
import assert from "node:assert/strict";

import { systemClock } from "@troupe/core";
import { JsonFieldReader, LineBuffer, MarkerGate } from "@troupe/stream";

const written = ["Looking it up. [FIN", "AL ANSWER]\nHigh water: noon", ".\nLow water: six."];

const sent: string[] = [];
const send = async (text: string): Promise<void> => void sent.push(text);
const buffer = new LineBuffer({ send, clock: systemClock });
const gate = new MarkerGate();
for (const piece of written) {
  for (const part of gate.push(piece)) if (part.role === "answer") buffer.append(part.text);
}
for (const part of gate.end()) if (part.role === "answer") buffer.append(part.text);
await buffer.close();
assert.deepEqual(sent, ["High water: noon.\n", "Low water: six."]);

// The same where the answer is a field of JSON that is still being written.
const reader = new JsonFieldReader("content");
let content = "";
for (const piece of ['{"content": "High wa', "ter: no\\u006f", 'n", "done": tr'])
  content += reader.push(piece);
content += reader.end();
assert.equal(content, "High water: noon");
assert.equal(reader.complete, true);
process.stdout.write(`${content}\n`);
