// CPU of reading a string field out of JSON that arrives in pieces of 4 characters: 64 KB (ours) over
// 8 KB (peer). A reader that parses all again at every piece is at 64, one that is linear at 8.
import { cpuPerRun } from "../lib/cpu.mjs";
import { importFrom } from "../lib/installed.mjs";
import { installCore } from "../lib/ours.mjs";
import { sized } from "../lib/smoke.mjs";

const KB = 1024;
const LINE = 'A line with "quotes", a \\ and é 😀.\n';

let JsonFieldReader;
const texts = new Map();

export const unit = "us";
export const pairs = 31;
export const warmup = 6;

export async function prepare() {
  ({ JsonFieldReader } = await importFrom(installCore(), "@troupe/stream"));
  for (const size of [8 * KB, 64 * KB, KB * KB]) texts.set(size, written(size));
}

export const ours = () => cpuPerRun(() => read(64 * KB), sized(10, 1));
export const peer = () => cpuPerRun(() => read(8 * KB), sized(80, 8));

/** Microseconds a KB: the same for every size when the work is linear. */
export async function figures() {
  const perKb = async (size, times) =>
    Number(((await cpuPerRun(() => read(size), sized(times, 1))) / (size / KB)).toPrecision(3));
  return {
    us_per_kb_of_8_kb: await perKb(8 * KB, 80),
    us_per_kb_of_64_kb: await perKb(64 * KB, 10),
    us_per_kb_of_1_mb: await perKb(KB * KB, 3),
  };
}

function read(size) {
  const { pieces, content } = texts.get(size);
  const reader = new JsonFieldReader("content");
  let out = "";
  for (const piece of pieces) out += reader.push(piece);
  out += reader.end();
  if (out !== content) throw new Error(`read ${out.length} characters, not ${content.length}`);
}

function written(size) {
  const content = LINE.repeat(Math.ceil(size / LINE.length))
    .slice(0, size)
    .toWellFormed();
  const json = JSON.stringify({ is_task_complete: true, content, citation_ids: ["1"] });
  return { content, pieces: json.match(/[^]{1,4}/g) };
}
