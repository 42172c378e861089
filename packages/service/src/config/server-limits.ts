import { z } from "zod";

import { jsonSetting, setting } from "./setting.ts";

const count = z.number().int().positive();

/** What a server takes of one caller and of one message; `ServerLimits` of `@troupe/a2a/server`, and its connections. */
export const serverLimitsSetting = setting(
  jsonSetting(
    z
      .strictObject({
        bodyBytes: count,
        parts: count,
        partBytes: count,
        streamsPerUser: count,
        tasksPerUser: count,
        waitingPerUser: count,
        requestsPerMinute: count,
        connections: count,
        connectionsPerAddress: count,
      })
      .partial(),
  ).default({}),
  {
    env: "TROUPE_SERVER_LIMITS",
    description:
      'JSON object of limits of the server, such as {"requestsPerMinute":600}; what is not named holds as docs/limits.md says',
  },
);
