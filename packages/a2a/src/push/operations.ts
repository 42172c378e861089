import type { Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";

import type { KeptPushConfig, PushConfig, PushConfigs, PushTask } from "../store/push-configs.ts";
import { stateKey } from "./notification.ts";
import { readPushConfig, toWire } from "./read-config.ts";
import type { PushSender } from "./sender.ts";

/** What callers do with push notification configs. Whose task it is was looked at before. */
export interface PushOperations {
  /** Reads a config that comes with a message, before anything is begun. Throws where it cannot be used. */
  read(given: TaskPushNotificationConfig, id: string, version: PushConfig["version"]): PushConfig;
  /** Keeps one; of which states its task went through up to `told` nothing is sent. */
  attach(task: PushTask, config: PushConfig, told: string, now: () => Promise<Task>): Promise<void>;
  create(
    task: PushTask,
    given: TaskPushNotificationConfig,
    options: { readonly version: PushConfig["version"]; readonly now: () => Promise<Task> },
  ): Promise<TaskPushNotificationConfig>;
  /** By its id; the first where none is named. */
  get(task: PushTask, id: string): Promise<TaskPushNotificationConfig>;
  list(task: PushTask): Promise<TaskPushNotificationConfig[]>;
  /** Nothing where there is none. */
  remove(task: PushTask, id: string): Promise<void>;
}

/** More would make of one task a means to call many. */
const MAX_CONFIGS = 10;

export function pushOperations(options: {
  readonly configs: PushConfigs;
  readonly sender: PushSender;
  readonly newId: () => string;
  readonly allow: readonly string[];
}): PushOperations {
  const { configs, sender, newId, allow } = options;

  const attach: PushOperations["attach"] = async (task, config, told, now) => {
    const known = await configs.list(task);
    const before = known.find(({ config: { id } }) => id === config.id);
    if (before === undefined && known.length >= MAX_CONFIGS)
      throw new RequestMalformedError(
        `Task ${task.taskId} has ${MAX_CONFIGS} push notification configs; delete one first.`,
      );
    if (before !== undefined && !isSame(before, config)) sender.forget(task, config.id);
    if (!(await configs.put(task, config, told)))
      throw new TaskNotFoundError(`Task not found: ${task.taskId}`);
    // It may have changed while the config was not there yet.
    const state = await now();
    sender.changed(task, () => state);
  };

  return {
    read: (given, id, version) => readPushConfig(given, { id: given.id || id, version, allow }),
    attach,
    async create(task, given, { version, now }) {
      const config = readPushConfig(given, { id: given.id || newId(), version, allow });
      await attach(task, config, stateKey(await now()), now);
      return toWire(task.taskId, config);
    },
    async get(task, id) {
      const known = await configs.list(task);
      const found = id === "" ? known[0] : known.find(({ config }) => config.id === id);
      if (found === undefined)
        throw new TaskNotFoundError(
          `There is no push notification config "${id.slice(0, 100)}" of task ${task.taskId}.`,
        );
      return toWire(task.taskId, found.config);
    },
    list: async (task) => (await configs.list(task)).map(({ config }) => toWire(task.taskId, config)),
    async remove(task, id) {
      sender.forget(task, id);
      await configs.remove(task, id);
    },
  };
}

function isSame({ config, state }: KeptPushConfig, other: PushConfig): boolean {
  return state === "open" && JSON.stringify(config) === JSON.stringify(other);
}
