// Server CPU of an answer in chunks of 20 characters, tasks on a SQLite file, beside the bare SDK and its
// database store over kysely. 1,000 chunks, because 4,000 take the peer minutes; ours with 4,000 stands in
// `figures`.
import { cpuOfAppends, oursOfAppends } from "../lib/a2a/append.mjs";
import { startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

const CHUNKS = sized(1_000, 100);
const MANY_CHUNKS = sized(4_000, 200);

export const unit = "ms";
export const pairs = 7;
export const warmup = 2;

let sides;

export async function prepare() {
  sides = await startSides({ kept: "sqlite" });
}

export const ours = () => oursOfAppends(sides.ours, CHUNKS);
export const peer = () => cpuOfAppends(sides.peer, CHUNKS);
export const figures = async () => ({ oursWith4000: await oursOfAppends(sides.ours, MANY_CHUNKS) });
export const close = () => sides.close();
