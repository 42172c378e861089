import { listOf, recordOf, stringOf } from "../../wire/json.ts";
import { succeeded } from "../behaviour.ts";
import type { Answer } from "../raw/answer.ts";
import { FAULTS } from "../raw/faults.ts";
import { expectFault, type Trial } from "../trial.ts";
import { demand, quote } from "../verdict.ts";
import { verifies, type Case } from "./case.ts";

/** Errors that any agent can be brought to, each with its name. */
async function refusals(trial: Trial): Promise<readonly (readonly [keyof typeof FAULTS, Answer])[]> {
  const { wire, newId, target } = trial;
  const capabilities = recordOf(target.card["capabilities"]) ?? {};
  const headers = { "a2a-version": "99.0" };
  return [
    ["TaskNotFoundError", await wire.call("GetTask", { id: newId() })],
    ["TaskNotFoundError", await wire.call("CancelTask", { id: newId() })],
    ["VersionNotSupportedError", await wire.call("ListTasks", {}, { headers })],
    ...(capabilities["extendedAgentCard"] === true
      ? []
      : [["UnsupportedOperationError", await wire.call("GetExtendedAgentCard", {})] as const]),
    ...(capabilities["pushNotifications"] === true
      ? []
      : [
          [
            "PushNotificationNotSupportedError",
            await wire.call("ListTaskPushNotificationConfigs", { taskId: newId() }),
          ] as const,
        ]),
  ];
}

export const GRPC_CASES: readonly Case[] = [
  verifies("grpc.metadata", async ({ wire, target }) => {
    const call = (headers: { readonly [name: string]: string }): Promise<Answer> =>
      wire.call("ListTasks", {}, { headers });
    succeeded(await call({ "a2a-version": "1.0" }));
    expectFault(await call({ "a2a-version": "99.0" }), "VersionNotSupportedError");
    const extensions = listOf(recordOf(target.card["capabilities"])?.["extensions"]);
    const uris = extensions.map((extension) => stringOf(recordOf(extension)?.["uri"]));
    succeeded(await call({ "a2a-version": "1.0", "a2a-extensions": uris.join(",") }));
  }),
  verifies("grpc.errors", async (trial) => {
    for (const [name, { fault, text }] of await refusals(trial)) {
      const { reason } = FAULTS[name];
      demand(fault !== undefined, `It was not refused with ${name}, but answered: ${quote(text)}.`);
      demand(fault.reason === reason, `The reason of ${name} is ${quote(fault.reason)}, not ${reason}.`);
      demand(
        fault.domain === "a2a-protocol.org",
        `The domain of ${name} is ${quote(fault.domain)}, not a2a-protocol.org.`,
      );
    }
  }),
  verifies("grpc.status-codes", async (trial) => {
    for (const [name, answer] of await refusals(trial)) expectFault(answer, name);
  }),
];
