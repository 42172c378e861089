import { z } from "zod";

import {
  allowedOriginsSetting,
  pushSetting,
  structuredOutputSetting,
  tasksUrlSetting,
} from "./process-settings.ts";
import { serverLimitsSetting } from "./server-limits.ts";
import { portNumber, setting } from "./setting.ts";
import { whenBusySetting } from "./when-busy.ts";

/** What every process that serves an agent can be told. Spread into the process's own schema. */
export const servedSettings = {
  public_url: setting(z.url().optional(), {
    env: "TROUPE_PUBLIC_URL",
    flag: "public-url",
    description: "Address others reach this process at, when it stands behind a proxy",
  }),
  grpc_port: setting(portNumber.optional(), {
    env: "TROUPE_GRPC_PORT",
    flag: "grpc-port",
    description: "Port to serve A2A over gRPC on too; 0 takes a free one; not served when not set",
  }),
  grpc_public_url: setting(z.string().min(1).optional(), {
    env: "TROUPE_GRPC_PUBLIC_URL",
    flag: "grpc-public-url",
    description:
      "Address others reach gRPC at, when it stands behind a proxy, such as grpc.example.com:443; the host of public_url with grpc_port when not set",
  }),
  tasks_url: tasksUrlSetting,
  structured_output: structuredOutputSetting,
  server_limits: serverLimitsSetting,
  when_busy: whenBusySetting,
  allowed_origins: allowedOriginsSetting,
  push: pushSetting,
};

export type ServedSettings = z.output<z.ZodObject<typeof servedSettings>>;
