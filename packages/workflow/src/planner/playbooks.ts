import type { AgentEntry, ModelRequest } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";
import { z } from "zod";

import { PLAN_FORMAT } from "./planner-prompt.ts";
import { planByRules } from "./plan-by-rules.ts";
import { planFollowUp } from "./plan-follow-up.ts";
import { refusalOf } from "./refusal.ts";
import { joinWithMissing, WITHOUT_FINDING } from "./synthesize.ts";
import { toldThreadSchema } from "./told-thread.ts";

/** What a playbook decides for one request: words to say, tools to call. */
export interface PlaybookMove {
  readonly say?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly arguments: JsonObject;
  }[];
}

/** A pure function in the place of a model. */
export type PlaybookPolicy = (request: ModelRequest) => PlaybookMove;

const listedSchema = z.array(
  z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    skills: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        examples: z.array(z.string()),
      }),
    ),
  }),
);
const askedSchema = z.object({
  task: z.string(),
  conversation: toldThreadSchema.default([]),
  agents: listedSchema,
  unreachable: listedSchema,
});

/** Plans by fixed rules from the agents' skill tags and ids. It understands nothing. */
export const plannerPlaybook: PlaybookPolicy = (request) => {
  const first = request.messages[0];
  const asked = askedSchema.safeParse(first?.role === "user" ? parseJson(first.text) : undefined);
  if (!asked.success) return refuse("the planner was asked in a form it does not know");
  const { task } = asked.data;
  const up = asked.data.agents.map((agent): AgentEntry => ({ ...agent, version: "", status: "up" }));
  const down = asked.data.unreachable.map((agent): AgentEntry => ({ ...agent, version: "", status: "down" }));
  const team = [...up, ...down];
  const follows = planFollowUp(task, team, asked.data.conversation);
  if (follows !== undefined && "refusal" in follows) return refuse(follows.refusal);
  const plan = follows ?? planByRules(task, team);
  if (!plan) {
    return refuse(refusalOf(task, team) ?? "no agent's skills name documents, data or presentations");
  }
  const missing = down.find(({ name }) => plan.steps.some((step) => step.agent === name));
  return missing
    ? refuse(`it needs ${missing.name}, which is down`, missing.name)
    : { say: JSON.stringify(plan) };
};

/** Joins the steps' answers under headings, as they are, after what is missing. */
export const synthesisPlaybook: PlaybookPolicy = (request) => {
  const parts = request.messages.slice(1).flatMap((message) => {
    const finding = message.role === "user" ? /^Step (\S+) \([^\n]*\):\n(.*)$/s.exec(message.text) : null;
    return finding ? [{ step: finding[1] ?? "", answer: finding[2] ?? "" }] : [];
  });
  const last = request.messages.at(-1);
  const [first, ...missing] = last?.role === "user" ? last.text.split("\n") : [];
  return { say: joinWithMissing(first === WITHOUT_FINDING ? missing.join("\n") : "", parts) };
};

/** Both of the orchestrator's own requests behind one policy. */
export const orchestratorPlaybook: PlaybookPolicy = (request) =>
  request.responseFormat?.name === PLAN_FORMAT ? plannerPlaybook(request) : synthesisPlaybook(request);

function refuse(refusal: string, needs = ""): PlaybookMove {
  return {
    say: JSON.stringify({
      version: 1,
      name: "none",
      mode: "parallel",
      steps: [],
      final: "synthesize",
      refusal,
      needs,
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
