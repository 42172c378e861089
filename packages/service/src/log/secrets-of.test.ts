import { expect, it } from "vitest";

import { secretsOf } from "./secrets-of.ts";

it("takes what variables named like secrets hold, and what the files they name hold", () => {
  const env = {
    ANTHROPIC_API_KEY: "sesame-open",
    acme_token: "abra-kadabra",
    DB_PASSWORD_FILE: "/run/secrets/db",
    GONE_SECRET_FILE: "/run/secrets/gone",
    TROUPE_TASKS_URL: "postgres://ann:abra@db/tasks",
    SORT_KEY: "name",
    UNSET_KEY: undefined,
    HOME: "/home/ann",
    KEYBOARD: "qwertz",
    CONFIG_FILE: "/etc/config",
  };
  const files = new Map([["/run/secrets/db", "hunter-two\n"]]);
  expect(secretsOf(env, (path) => files.get(path))).toEqual([
    "sesame-open",
    "abra-kadabra",
    "hunter-two",
    "postgres://ann:abra@db/tasks",
  ]);
});
