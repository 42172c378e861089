import { z } from "zod";

import { setting } from "./setting.ts";

/** What becomes of a message to a task that is being worked on; `WhenBusy` of `@troupe/a2a/server`. */
export const whenBusySetting = setting(z.enum(["refuse", "queue"]).default("refuse"), {
  env: "TROUPE_WHEN_BUSY",
  description: "A message to a task that is being worked on: refuse, or queue it as a task of its own",
});
