import { z } from "zod";

import {
  allowedOriginsSetting,
  pushSetting,
  structuredOutputSetting,
  tasksUrlSetting,
} from "./process-settings.ts";
import { serverLimitsSetting } from "./server-limits.ts";
import { setting } from "./setting.ts";
import { whenBusySetting } from "./when-busy.ts";

/** What every process that serves an agent can be told. Spread into the process's own schema. */
export const servedSettings = {
  public_url: setting(z.url().optional(), {
    env: "TROUPE_PUBLIC_URL",
    flag: "public-url",
    description: "Address others reach this process at, when it stands behind a proxy",
  }),
  tasks_url: tasksUrlSetting,
  structured_output: structuredOutputSetting,
  server_limits: serverLimitsSetting,
  when_busy: whenBusySetting,
  allowed_origins: allowedOriginsSetting,
  push: pushSetting,
};

export type ServedSettings = z.output<z.ZodObject<typeof servedSettings>>;
