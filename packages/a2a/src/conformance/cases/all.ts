import { CAPABILITY_CASES } from "./capabilities.ts";
import { CARD_CASES } from "./card.ts";
import type { Case } from "./case.ts";
import { ERROR_CASES } from "./errors.ts";
import { FORMAT_CASES } from "./format.ts";
import { GRPC_CASES } from "./grpc.ts";
import { SENDING_CASES } from "./sending.ts";
import { STREAMING_CASES } from "./streaming.ts";
import { TASK_CASES } from "./tasks.ts";

export const CASES: readonly Case[] = [
  ...CARD_CASES,
  ...SENDING_CASES,
  ...STREAMING_CASES,
  ...TASK_CASES,
  ...ERROR_CASES,
  ...FORMAT_CASES,
  ...CAPABILITY_CASES,
  ...GRPC_CASES,
];
