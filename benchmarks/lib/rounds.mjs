import { pathToFileURL } from "node:url";

import { cpuPerRun } from "./cpu.mjs";
import { oursLoop } from "./loop-ours.mjs";
import { installCore } from "./ours.mjs";
import { peerFolder } from "./peers.mjs";
import { sized } from "./smoke.mjs";
import { ANSWER_TOKENS } from "./task.mjs";

/** Ours against AI SDK: CPU of a run with so many tool rounds and a short answer, in microseconds. */
export function measureRounds(rounds, runsPerSample) {
  const task = { rounds, tokens: ANSWER_TOKENS };
  const runs = sized(runsPerSample, 3);
  let mine;
  let theirs;
  return {
    prepare: async () => {
      mine = await oursLoop(installCore(), task);
      const peer = await import(pathToFileURL(`${peerFolder("ai")}/loop.mjs`).href);
      theirs = await peer.aiLoop(task);
    },
    ours: () => cpuPerRun(mine, runs),
    peer: () => cpuPerRun(theirs, runs),
  };
}
