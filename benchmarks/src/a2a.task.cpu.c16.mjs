// Server CPU of a request that is answered with a finished task, 16 at a time, beside the bare SDK.
import { measureTask } from "../lib/a2a/task-cpu.mjs";

export const unit = "us";
export const pairs = 31;
export const warmup = 10;

export const { prepare, ours, peer, close } = measureTask(16);
