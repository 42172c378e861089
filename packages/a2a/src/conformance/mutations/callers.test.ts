import { expect, it } from "vitest";

import type { Fault } from "../../testing/faulty-fetch.ts";
import type { Authenticate, ServeAgentOptions } from "../../server/index.ts";
import type { ConformanceOptions } from "../index.ts";
import { notice, type Mutation } from "./notice.ts";

const authenticate: Authenticate = (headers) => {
  const id = /^Bearer (ann|bob|eve)$/.exec(String(headers["authorization"]))?.[1];
  return Promise.resolve(id === undefined ? undefined : { id, scopes: id === "eve" ? [] : ["*"] });
};
const guarded: Partial<ServeAgentOptions> = {
  authenticate,
  security: {
    schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    requirements: [{ bearer: [] }],
  },
  extendedCard: (card) => card,
};
const as = (id: string): Record<string, string> => ({ Authorization: `Bearer ${id}` });
const known: ConformanceOptions = {
  credentials: as("ann"),
  callers: { other: as("bob"), unprivileged: as("eve") },
};

/** Whoever calls is taken for Ann. */
const everybody: Fault = { headers: (headers) => headers.set("Authorization", "Bearer ann") };
/** Whoever calls as one is taken for Ann. */
const mistaken = (who: string): Fault => ({
  headers: (headers) => {
    if (headers.get("Authorization") === who) headers.set("Authorization", "Bearer ann");
  },
});

const FAULTS: readonly Mutation[] = [
  ["strangers who are let in", "auth.missing", everybody],
  ["false credentials that are good enough", "auth.invalid", mistaken("Bearer not-a-credential-of-anybody")],
  ["rights that nobody looks at", "auth.not-permitted", mistaken("Bearer eve")],
  ["tasks that are everybody's", "auth.own-tasks", mistaken("Bearer bob")],
  ["an extended card for everybody", "extended.authenticated", everybody],
  ["a refusal that says nothing of how to come in", "auth.challenge", { head: { "www-authenticate": null } }],
  [
    "a requirement of a scheme that is not there",
    "card.requirements-known",
    { text: (text) => text.replace('"securitySchemes":{"bearer"', '"securitySchemes":{"basic"') },
  ],
];

it.each(FAULTS)("%s is noticed by %s", async (_name, requirement, fault) => {
  expect(await notice(requirement, {}, guarded, known)).toEqual([]);
  expect(await notice(requirement, fault, guarded, known)).not.toEqual([]);
});

const PUSH: readonly Mutation[] = [
  [
    "a config without id",
    "push.create",
    { answer: (value) => ("url" in value ? { ...value, id: "" } : value) },
  ],
  ["a config that leads elsewhere", "push.get", { swallows: /GetTaskPush|GET \S+pushNotificationConfigs\// }],
  [
    "a config that is not there, and found",
    "push.get-missing",
    { swallows: /GetTaskPush|GET \S+pushNotificationConfigs\// },
  ],
  [
    "configs that are not listed",
    "push.list",
    { answer: (value) => ("configs" in value ? { ...value, configs: [] } : value) },
  ],
  ["a config that is not deleted", "push.delete", { swallows: /DeleteTaskPush|^DELETE / }],
];

it.each(PUSH)("%s is noticed by %s", async (_name, requirement, fault) => {
  const serve = { push: { allow: ["https://example.com"] } };
  expect(await notice(requirement, {}, serve)).toEqual([]);
  expect(await notice(requirement, fault, serve)).not.toEqual([]);
});

it("a required extension that nobody needs is noticed by extensions.required", async () => {
  const uri = "https://example.com/ext/units/v1";
  const serve = { extensions: [{ uri, description: "Units.", required: true }] };
  const asked = { headers: { "A2A-Extensions": uri } };
  const fault: Fault = { headers: (headers) => headers.set("A2A-Extensions", uri) };
  expect(await notice("extensions.required", {}, serve, asked)).toEqual([]);
  expect(await notice("extensions.required", fault, serve, asked)).not.toEqual([]);
});
