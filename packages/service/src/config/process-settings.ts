import { answerCheckModeSchema, priceSchema } from "@troupe/core";
import { z } from "zod";

import { jsonSetting, portNumber, setting, toggle } from "./setting.ts";

/** What every process can be told. Spread into the process's own schema. */
export const processSettings = {
  home: setting(z.string().min(1).default(".troupe"), {
    env: "TROUPE_HOME",
    flag: "home",
    description: "Folder for all state",
  }),
  host: setting(z.string().min(1).default("127.0.0.1"), {
    env: "TROUPE_HOST",
    flag: "host",
    description: "Address to bind",
  }),
  log_level: setting(z.enum(["debug", "info", "warn", "error", "silent"]).default("info"), {
    env: "TROUPE_LOG_LEVEL",
    flag: "log-level",
    description: "Least level that is logged, to stderr",
  }),
};

/** The port setting with this process's own default. */
export function portSetting(fallback: number): z.ZodType<number> {
  return setting(portNumber.default(fallback), {
    env: "TROUPE_PORT",
    flag: "port",
    description: "Port to listen on; 0 takes a free one",
  });
}

/** A path would promise that nothing beside it may be called, which nobody keeps. */
const originSchema = z
  .url({ protocol: /^https?$/ })
  .refine((address) => `${new URL(address).origin}/` === new URL(address).href, {
    error:
      "an origin has no path, query or user; give its scheme, host and port alone, such as http://127.0.0.1:9000",
    // What is no address at all is told so already.
    when: ({ issues }) => issues.length === 0,
  });

/** Where the guard of outgoing requests lets a process go beside what it is configured to call. */
export const allowedOriginsSetting = setting(jsonSetting(z.array(originSchema)).default([]), {
  env: "TROUPE_ALLOWED_ORIGINS",
  description:
    "JSON list of origins that may be called though they are not public, and that agents' files may come from",
});

/** Where a process keeps the tasks that it is given, when not in its home folder. */
export const tasksUrlSetting = setting(z.url({ protocol: /^postgres(ql)?$/ }).optional(), {
  env: "TROUPE_TASKS_URL",
  secret: true,
  description:
    "Postgres database for tasks, such as postgres://user:password@host/database, which replicas of an agent share; files in the home folder when not set",
});

/** Whether whoever asks for it is notified of its tasks. */
export const pushSetting = setting(toggle.default(false), {
  env: "TROUPE_PUSH",
  description:
    "Notify callers of their tasks where they ask for it: over https at public addresses, and at allowed origins",
});

const timeoutSeconds = z.coerce.number().positive().max(3_600);

/** What a process that calls a model can be told. */
export const modelSettings = {
  answer_check: setting(answerCheckModeSchema.optional(), {
    env: "TROUPE_ANSWER_CHECK",
    flag: "answer-check",
    description:
      "How answers are compared with their sources: off, rules or model; as the agent says when not set, rules by default",
  }),
  anthropic_api_key: setting(z.string().min(1).optional(), {
    env: "ANTHROPIC_API_KEY",
    secret: true,
    description: "Run on Anthropic",
  }),
  anthropic_base_url: setting(z.url().optional(), {
    env: "ANTHROPIC_BASE_URL",
    description: "Another Messages endpoint",
  }),
  openai_base_url: setting(z.url().optional(), {
    env: "OPENAI_BASE_URL",
    description: "Run on an OpenAI-compatible server",
  }),
  openai_api_key: setting(z.string().min(1).optional(), {
    env: "OPENAI_API_KEY",
    secret: true,
    description: "Its key",
  }),
  model: setting(z.string().min(1).optional(), {
    env: "TROUPE_MODEL",
    flag: "model",
    description:
      "Model name; with the prefix anthropic: or openai:, at that provider. A model for one agent is set in the config file",
  }),
  fallback_model: setting(z.string().min(1).optional(), {
    env: "TROUPE_FALLBACK_MODEL",
    description: "Model for calls that fail before the first token, after all retries; named like model",
  }),
  first_token_timeout_seconds: setting(timeoutSeconds.default(60), {
    env: "TROUPE_FIRST_TOKEN_TIMEOUT_SECONDS",
    description: "How long a model may take to its first token, connecting included",
  }),
  idle_timeout_seconds: setting(timeoutSeconds.default(30), {
    env: "TROUPE_IDLE_TIMEOUT_SECONDS",
    description: "How long a model may be silent in the middle of an answer",
  }),
  effort: setting(z.enum(["low", "medium", "high", "xhigh", "max"]).optional(), {
    env: "TROUPE_EFFORT",
    description:
      "How hard a model at Anthropic tries: low, medium, high, xhigh or max; its own default when not set",
  }),
  thinking: setting(z.enum(["adaptive", "between_tools", "disabled"]).optional(), {
    env: "TROUPE_THINKING",
    description:
      "When a model at Anthropic reasons: adaptive, between_tools or disabled; its own default when not set",
  }),
  vision: setting(toggle.default(true), {
    env: "TROUPE_VISION",
    description: "Whether the model takes images; one that does not gets their names instead",
  }),
  record: setting(z.string().min(1).optional(), {
    env: "TROUPE_RECORD",
    description: "File to which the answers of the model are appended, to replay them later",
  }),
  replay: setting(z.string().min(1).optional(), {
    env: "TROUPE_REPLAY",
    description: "File of recorded answers to replay instead of a model; tools run live",
  }),
  prices: setting(jsonSetting(z.record(z.string(), priceSchema)).default({}), {
    env: "TROUPE_PRICES",
    description:
      'JSON object of dollars for a million tokens by model, such as {"my-model":{"input":3,"output":15}}',
  }),
};

/** How a process that is an agent answers. */
export const structuredOutputSetting = setting(toggle.default(true), {
  env: "ENABLE_STRUCTURED_OUTPUT",
  flag: "structured-output",
  description:
    "Results as data parts with the whole response; as text when false, or for a client that takes only text",
});

/** Addresses of MCP servers by name, over what an agent's own config says. */
export const mcpServersSetting = setting(jsonSetting(z.record(z.string(), z.url())).default({}), {
  env: "TROUPE_MCP_SERVERS",
  description: 'JSON object of server name to address, such as {"rag-mcp":"http://127.0.0.1:8095/mcp"}',
});
