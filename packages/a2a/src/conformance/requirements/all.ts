import type { Requirement } from "../requirement.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { CARD } from "./card.ts";
import { ERRORS } from "./errors.ts";
import { FORMAT } from "./format.ts";
import { GRPC_REQUIREMENTS } from "./grpc.ts";
import { SENDING } from "./sending.ts";
import { STREAMING } from "./streaming.ts";
import { TASKS } from "./tasks.ts";
import { UNTESTABLE } from "./untestable.ts";

/** All that the A2A 1.0 specification asks of a server, tried or not. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CARD,
  ...SENDING,
  ...STREAMING,
  ...TASKS,
  ...ERRORS,
  ...FORMAT,
  ...CAPABILITIES,
  ...GRPC_REQUIREMENTS,
  ...UNTESTABLE,
];
