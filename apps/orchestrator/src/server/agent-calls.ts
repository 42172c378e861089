import { jsonSetting, setting } from "@troupe/service";
import { z } from "zod";

const ms = z.number().int().positive();

/** Bounds of the calls to each agent, where a deployment has to say them. */
export const agentCallsSetting = setting(
  jsonSetting(
    z.strictObject({
      answerMs: ms.exactOptional(),
      firstEventMs: ms.exactOptional(),
      idleMs: ms.exactOptional(),
      awayMs: ms.exactOptional(),
      waitMs: ms.exactOptional(),
      retries: z.number().int().min(0).max(10).exactOptional(),
      answerBytes: z.number().int().positive().exactOptional(),
      maxConcurrent: z.number().int().positive().exactOptional(),
      maxWaiting: z.number().int().min(0).exactOptional(),
    }),
  ).default({}),
  {
    env: "TROUPE_AGENT_CALLS",
    description:
      'JSON object of bounds of the calls to each agent, such as {"maxConcurrent":64}; what is not named holds as docs/call-agents.md says',
  },
);
