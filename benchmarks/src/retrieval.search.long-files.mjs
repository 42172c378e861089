// One search in a collection of long Markdown files (ours) and in the same text as many short ones (peer).
// Both hold the same sections, so a search that reads only its passages takes as long in either.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build, entryOf } from "../lib/built.mjs";
import { sized } from "../lib/smoke.mjs";
import { emptyHome } from "../lib/troupe.mjs";

const SECTIONS = sized(4_000, 200);
const SECTIONS_A_LONG_FILE = sized(400, 50);
const SENTENCES = 24;
const QUERIES = sized(100, 10);
const LIMIT = 10;

export const unit = "ms";
export const pairs = 9;
export const warmup = 1;

const { home, remove } = emptyHome();
let next = 1;
let long;
let short;

export async function prepare() {
  build("retrieval");
  const { openIndex } = await import(entryOf("retrieval"));
  const sections = Array.from({ length: SECTIONS }, (_, at) => section(at));
  long = await collection(openIndex, "long", sections, SECTIONS_A_LONG_FILE);
  short = await collection(openIndex, "short", sections, 1);
}

export const ours = () => median(long);
export const peer = () => median(short);

export async function figures() {
  const [{ passages }] = await long.collections();
  const times = (await timesOf(long)).toSorted((a, b) => a - b);
  return { passages, p95: Number(times[Math.floor(QUERIES * 0.95)].toPrecision(4)) };
}

export async function close() {
  await long.close();
  await short.close();
  remove();
}

async function collection(openIndex, name, sections, each) {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < sections.length; at += each)
    writeFileSync(join(folder, `${at}.md`), sections.slice(at, at + each).join("\n\n"));
  const index = await openIndex({ path: join(home, `${name}.db`) });
  const { counts } = await index.ingest([folder], { collection: name });
  if (counts.failed > 0) throw new Error(`${counts.failed} files of "${name}" could not be ingested`);
  return index;
}

async function median(index) {
  return (await timesOf(index)).toSorted((a, b) => a - b)[QUERIES >> 1];
}

async function timesOf(index) {
  const times = [];
  for (let at = 0; at < QUERIES; at++) {
    const query = [1, 7, 31, 101].map((step) => word((at * step) % 900)).join(" ");
    const start = performance.now();
    const { hits } = await index.search(query, { limit: LIMIT });
    times.push(performance.now() - start);
    if (hits.length === 0) throw new Error(`"${query}" found nothing`);
  }
  return times;
}

function section(at) {
  const sentences = Array.from({ length: SENTENCES }, () => {
    const words = Array.from({ length: 12 }, () => word(Math.floor(1_000 * random() ** 2)));
    return `The ${words.join(" ")}.`;
  });
  return `# Part ${word(at % 1_000)}\n\n${sentences.join(" ")}`;
}

/** Pronounceable, and a word of its own for each number. */
function word(number) {
  const syllables = ["ba", "ke", "li", "mo", "nu", "pra", "sto", "tri", "vel", "zan"];
  return String(1_000 + number)
    .split("")
    .map((digit) => syllables[Number(digit)])
    .join("");
}

/** The same numbers in every run. */
function random() {
  next = (next * 1_103_515_245 + 12_345) % 2_147_483_648;
  return next / 2_147_483_648;
}
