import { isLoopback } from "@troupe/core";
import { jsonSetting, portNumber, setting } from "@troupe/service";
import { z } from "zod";

const addresses = (fallback: string) =>
  jsonSetting(z.array(z.url({ protocol: /^https?$/ })).min(1)).default([fallback]);

/** What journals runs, and how it is reached where that is not this process itself. */
export const engineSettings = {
  engine: setting(z.enum(["embedded", "restate"]).default("embedded"), {
    env: "TROUPE_ENGINE",
    description:
      "What journals runs: embedded, a file of the home folder, for one process; restate, a Restate server, for any number of replicas",
  }),
  runs_url: setting(z.url({ protocol: /^postgres(ql)?$/ }).optional(), {
    env: "TROUPE_RUNS_URL",
    secret: true,
    description:
      "With restate: Postgres database for what runs tell, which all replicas share; may be that of TROUPE_TASKS_URL",
  }),
  restate_ingress: setting(addresses("http://127.0.0.1:8080"), {
    env: "TROUPE_RESTATE_INGRESS",
    description: "With restate: JSON list of the addresses at which its nodes take calls",
  }),
  restate_admin: setting(addresses("http://127.0.0.1:9070"), {
    env: "TROUPE_RESTATE_ADMIN",
    description: "With restate: JSON list of the admin addresses of its nodes",
  }),
  restate_port: setting(portNumber.default(9080), {
    env: "TROUPE_RESTATE_PORT",
    description: "With restate: port on which it is listened for; 0 takes a free one",
  }),
  restate_endpoint: setting(z.url({ protocol: /^https?$/ }).optional(), {
    env: "TROUPE_RESTATE_ENDPOINT",
    description:
      "With restate: the one address at which it reaches all replicas; that of this process alone when not set",
  }),
  restate_identity_keys: setting(jsonSetting(z.array(z.string().startsWith("publickeyv1_"))).default([]), {
    env: "TROUPE_RESTATE_IDENTITY_KEYS",
    description:
      'With restate: JSON list of the public keys by which its requests are known, such as ["publickeyv1_..."]; others are refused',
  }),
};

export type EngineSettings = z.output<z.ZodObject<typeof engineSettings>>;

/** What else is set that matters here; a setting that is wrong by itself is missing. */
type Given = Partial<EngineSettings> & { readonly tasks_url?: string | undefined; readonly host?: string };

interface Rule {
  readonly about: keyof EngineSettings | "tasks_url";
  readonly holds: (given: Given) => boolean;
  readonly error: string;
}

const shared = "is needed with TROUPE_ENGINE=restate; name a Postgres database that all replicas share";
const onRestate = ({ engine }: Given): boolean => engine === "restate";

/** Settings that do not go together, or that somebody would believe to have an effect. */
export const engineRules: readonly Rule[] = [
  { about: "runs_url", holds: (given) => !onRestate(given) || given.runs_url !== undefined, error: shared },
  { about: "tasks_url", holds: (given) => !onRestate(given) || given.tasks_url !== undefined, error: shared },
  {
    about: "runs_url",
    holds: ({ engine, runs_url }) => engine !== "embedded" || runs_url === undefined,
    error: "has no effect without TROUPE_ENGINE=restate; set that too, or take this away",
  },
  {
    about: "restate_identity_keys",
    holds: (given) =>
      !onRestate(given) ||
      given.host === undefined ||
      isLoopback(given.host) ||
      given.restate_identity_keys === undefined ||
      given.restate_identity_keys.length > 0,
    error:
      "is needed where others reach this host, or anybody could run and read everything; name the key of the Restate server",
  },
];
