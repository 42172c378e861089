// 1,000 answers streamed at once by one agent, begun in the same moment, two seconds each, beside the bare
// SDK: all must end as completed. Measured is the first event of the slowest hundredth.
import { load, quantile, stream } from "../lib/a2a/client.mjs";
import { cpuOf, startSides } from "../lib/a2a/sides.mjs";
import { sized } from "../lib/smoke.mjs";

const STREAMS = sized(1_000, 50);
/** 20 tokens a second each. */
const WORK = { chunks: sized(40, 5), size: 6, burst: 1, everyMs: 50 };

export const unit = "ms";
export const pairs = 3;
export const warmup = 1;

let sides;
const last = { ours: {}, peer: {} };

export async function prepare() {
  sides = await startSides();
}

export const ours = () => p99("ours");
export const peer = () => p99("peer");
/** Of the last round. */
export const figures = async () => last;
export const close = () => sides.close();

async function p99(who) {
  const side = sides[who];
  let answers = [];
  const cpu = await cpuOf(side, async () => {
    answers = await load(STREAMS, STREAMS, () => stream(side.url, WORK));
  });
  const firsts = answers.map((answer) => answer.first);
  last[who] = {
    ended: answers.length,
    medianMs: Math.round(quantile(firsts, 0.5)),
    p99Ms: Math.round(quantile(firsts, 0.99)),
    slowestWholeMs: Math.round(
      quantile(
        answers.map(({ whole }) => whole),
        1,
      ),
    ),
    cpuMs: Math.round(cpu / 1_000),
  };
  return quantile(firsts, 0.99);
}
