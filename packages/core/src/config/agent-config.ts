import { z } from "zod";

import { AgentError } from "../errors/agent-error.ts";
import { limitsSchema } from "../schemas/delegation.ts";
import { jsonObjectSchema } from "../schemas/json.ts";
import { describeIssues } from "../tools/define-tool.ts";
import { policyRuleSchema } from "./policy-rule.ts";
import { priceSchema } from "./prices.ts";

export const DEFAULT_MAX_ITERATIONS = 10;

const allowList = z.array(z.string().min(1)).exactOptional();

/** Reached over Streamable HTTP or, for servers of old, SSE. */
const remoteServerSchema = z.strictObject({
  name: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
  tools: allowList,
});

/** Started as a child process and spoken to over stdio. */
const childServerSchema = z.strictObject({
  name: z.string().min(1),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  tools: allowList,
});

/** An MCP server an agent takes tools from; `tools` lists those it may use, all when absent. */
export const mcpServerSchema = z.union([remoteServerSchema, childServerSchema]);
export type McpServerConfig = z.output<typeof mcpServerSchema>;

const skillSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()).default([]),
  examples: z.array(z.string()).default([]),
});

/**
 * How an answer is delivered: by a call of the tool `finish`, behind a marker in the text, or by a
 * call of its own for the structured response. All end in the same response.
 */
export const responseModeSchema = z.enum(["finish", "marker", "structured"]);
export type ResponseMode = z.output<typeof responseModeSchema>;

export const answerCheckModeSchema = z.enum(["off", "rules", "model"]);

/** What makes an agent. Unknown keys are errors. */
export const agentConfigSchema = z.strictObject({
  /** Which builder of an `AgentFactory` makes it. */
  agent_type: z.string().min(1),
  name: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, "must be kebab-case, such as rag-agent"),
  title: z.string().min(1),
  description: z.string().min(1),
  version: z.string().default("0.1.0"),
  skills: z.array(skillSchema).default([]),
  /** Which of the built-in tools it is given; all of them when empty. */
  tools: z.array(z.string().min(1)).default([]),
  system_prompt: z.string().min(1),
  mcp_servers: z.array(mcpServerSchema).default([]),
  /** Other facts about the agent. Public, because its card has them. */
  metadata: jsonObjectSchema.default({}),
  /** Rounds of the loop before it ends as partial. */
  max_iterations: z.number().int().positive().max(1_000).default(DEFAULT_MAX_ITERATIONS),
  /** Model id, unless the deployment names one; the provider's default when absent. */
  model: z.string().min(1).exactOptional(),
  response_mode: responseModeSchema.default("finish"),
  /**
   * How answers are compared with the evidence of their run, where the agent was given an `AnswerCheck`: by rules
   * alone, or with one more call of the model for negations, comparisons and swapped subjects.
   */
  answer_check: answerCheckModeSchema.default("rules"),
  /** Pieces in which text is streamed: as the model writes it, or in whole words. */
  stream_by: z.enum(["token", "word"]).default("token"),
  /** Documents it searches when a request names none. */
  collection: z.string().min(1).exactOptional(),
  limits: z.strictObject(limitsSchema.shape).default({}),
  /** What models cost in US dollars for a million tokens, by model id; `limits.maxCostUsd` needs it. */
  prices: z.record(z.string(), priceSchema).default({}),
  /** Tools a person decides about before they run, `*` for all of them. */
  approve: z.array(z.string().min(1)).default([]),
  /** Rules about tool calls; the first that fits decides, and what none fits passes. */
  policy: z.array(policyRuleSchema).default([]),
});

export type AgentConfig = z.output<typeof agentConfigSchema>;
/** An `AgentConfig` before its defaults. */
export type AgentConfigInput = z.input<typeof agentConfigSchema>;

/** Fills in the defaults; throws an `AgentError` (`agent.config`) that names every problem. */
export function parseAgentConfig(input: unknown): AgentConfig {
  const parsed = agentConfigSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const name = typeof input === "object" && input !== null && "name" in input ? String(input.name) : "";
  throw new AgentError(
    "agent.config",
    `The configuration of agent "${name}" cannot be used: ${describeIssues(parsed.error, "config").join("; ")}`,
  );
}
