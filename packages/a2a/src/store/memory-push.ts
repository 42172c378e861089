import { isDeepStrictEqual } from "node:util";

import type { KeptPushConfig, PushConfigs, PushTask } from "./push-configs.ts";

/** What a task in memory carries for its push notifications. */
export type PushEntry = PushTask & { readonly push: Map<string, KeptPushConfig> };

/** Configs kept with the tasks of a store in memory. */
export function memoryPush(tasks: {
  readonly find: (task: PushTask) => PushEntry | undefined;
  readonly all: () => Iterable<PushEntry>;
}): PushConfigs {
  return {
    async put(task, config, told) {
      const push = tasks.find(task)?.push;
      if (push === undefined) return false;
      if (!isDeepStrictEqual(push.get(config.id)?.config, config))
        push.set(config.id, { config, told, state: "open" });
      return true;
    },
    list: async (task) => [...(tasks.find(task)?.push.values() ?? [])],
    async remove(task, id) {
      tasks.find(task)?.push.delete(id);
    },
    async note(task, id, now) {
      const push = tasks.find(task)?.push;
      const kept = push?.get(id);
      if (kept !== undefined) push?.set(id, { ...kept, ...now });
    },
    async *open() {
      for (const { owner, taskId, push } of tasks.all())
        if ([...push.values()].some(({ state }) => state === "open")) yield { owner, taskId };
    },
  };
}
