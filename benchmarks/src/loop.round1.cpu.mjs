// CPU of a whole run with one tool round, against AI SDK's streamText.
import { measureRounds } from "../lib/rounds.mjs";

export const unit = "us";
export const pairs = 31;
export const warmup = 6;
export const { prepare, ours, peer } = measureRounds(1, 200);
