import type { ModelRequest } from "@troupe/core";
import type { JsonObject } from "@troupe/stream";

import { lastUserText } from "../policy/read-request.ts";
import type { PlaybookMove } from "../policy/playbook.ts";
import { contentWords, sameNoun, takesModel, type Word } from "../words.ts";
import { readTask, refersBack, type ReadTask } from "./read-task.ts";
import { agentOf, roleOf, sharedWords, type ListedAgent, type Role } from "./team.ts";

interface Asked {
  readonly task: string;
  readonly agents: readonly ListedAgent[];
  readonly unreachable: readonly ListedAgent[];
  readonly conversation: readonly unknown[];
}

type Step = { readonly id: string; readonly agent: string; readonly instruction: string } & {
  readonly depends_on: readonly string[];
  readonly expected_output: string;
};

/**
 * Plans by the agents' skill tags and the words they share with the request. It understands nothing: it
 * refuses a request that refers back to earlier turns, orders an action, or matches the skills of no agent.
 */
export function planTask(request: ModelRequest): PlaybookMove {
  const asked = readAsked(request);
  if (asked === undefined) return refuse("the planner was asked in a form that the playbook does not know");
  const { task, conversation } = asked;
  if (conversation.length > 0 && refersBack(task))
    return refuse(takesModel(`"${task.trim()}" refers to an earlier turn, and understanding it`));
  const read = readTask(task);
  const other = specialist(task, asked);
  const { deed } = read;
  if (deed !== undefined && other === undefined)
    return refuse(
      takesModel(`no agent here can "${deed}"; doing more than looking up, querying and presenting`),
    );
  return write(planFor(asked, read, other));
}

type Plan = { readonly steps: readonly Step[] } | { readonly refusal: string; readonly needs?: string };

function planFor(asked: Asked, read: ReadTask, other: ListedAgent | undefined): Plan {
  const { task, agents } = asked;
  const { deck, documentsPart, dataPart } = read;
  if (other !== undefined && !deck) return single(other, task);
  if (deck) {
    const maker = find("deck", asked);
    if (maker === undefined) return { refusal: "no agent that makes presentations is registered" };
    if (!isAgent(maker)) return maker;
    return deckPlan(asked, maker, read);
  }
  const roles = rolesOf(read, asked);
  const parts: Step[] = [];
  for (const role of roles) {
    const agent = find(role, asked);
    if (agent === undefined) continue;
    if (!isAgent(agent)) return agent;
    const part = role === "data" ? dataPart : documentsPart;
    parts.push(step(role, agent, roles.length === 1 || part === "" ? task : part));
  }
  if (parts.length > 0) return { steps: parts };
  const only = agents.length === 1 ? agents[0] : undefined;
  return only === undefined ? { refusal: "no agent's skills mention it" } : single(only, task);
}

/** Data where the words name it, documents where they do or name no data; one of them where no agent has the other. */
function rolesOf({ ofData, ofDocuments, onlyCounts }: ReadTask, asked: Asked): readonly Role[] {
  const words = contentWords(asked.task);
  const all = [...asked.agents, ...asked.unreachable];
  const has = (role: Role): boolean => all.some((agent) => roleOf(agent) === role);
  const ofRole = (role: Role): readonly ListedAgent[] =>
    asked.agents.filter((agent) => roleOf(agent) === role);
  if (onlyCounts) {
    // If a table or column has the name of what is counted, the data has the answer; else documents may state it.
    const tables = ofRole("data").flatMap(({ holds }) => holds ?? []);
    const isInTables = tables.some((holds) => namesOneOf(holds, words));
    if (isInTables && ofRole("documents").every(({ holds }) => holds === undefined)) return ["data"];
    const isComplete = tables.length > 0 && tables.every((holds) => holds.length < MIN_TRUNCATED);
    if (isComplete && !isInTables && has("documents")) return ["documents"];
  }
  const shared = (role: Role): number =>
    Math.max(0, ...all.filter((agent) => roleOf(agent) === role).map((agent) => sharedWords(agent, words)));
  const data = has("data") && (ofData || (!ofDocuments && shared("data") > shared("documents")));
  const documents = has("documents") && (ofDocuments || !data);
  if (data || documents)
    return [...(documents ? (["documents"] as const) : []), ...(data ? (["data"] as const) : [])];
  return has("data") ? ["data"] : [];
}

/** An overview of this many characters or more may be truncated. */
const MIN_TRUNCATED = 2_000;

/** Whether a name in an overview, or a part of one such as `site` of `site_id`, is one of these words. */
function namesOneOf(holds: string, words: readonly Word[]): boolean {
  const names = holds.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some(({ folded }) => names.some((name) => sameNoun(name, folded)));
}

function deckPlan(asked: Asked, maker: ListedAgent, { title, documentsPart, dataPart }: ReadTask): Plan {
  const steps: Step[] = [];
  for (const [role, part] of [
    ["documents", documentsPart],
    ["data", dataPart],
  ] as const) {
    if (part === "") continue;
    const agent = find(role, asked);
    if (agent === undefined) continue;
    if (!isAgent(agent)) return agent;
    steps.push(step(role, agent, part));
  }
  if (steps.length === 0)
    return { refusal: "it names no subject that documents or tables could be searched for" };
  const deck = {
    ...step("deck", maker, `Make a presentation titled "${title}" of these results.`),
    depends_on: steps.map(({ id }) => id),
  };
  return { steps: [...steps, deck] };
}

/** The agent of a role, a refusal where it is down, undefined where there is none. */
function find(role: Role, { task, agents, unreachable }: Asked): ListedAgent | Plan | undefined {
  const words = contentWords(task);
  const up = agentOf(role, agents, words);
  if (up !== undefined) return up;
  const down = agentOf(role, unreachable, words);
  return down && { refusal: `it needs ${down.name}, which is down`, needs: down.name };
}

const isAgent = (found: ListedAgent | Plan): found is ListedAgent => "name" in found;

/** The one agent of another kind whose skills share more words with the task than those of any other agent. */
function specialist(task: string, { agents }: Asked): ListedAgent | undefined {
  const words = contentWords(task);
  const scored = agents.map((agent) => ({ agent, score: sharedWords(agent, words) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const first = scored.filter(({ score }) => score === best && best > 0);
  const [only] = first;
  return only !== undefined && first.length === 1 && roleOf(only.agent) === undefined
    ? only.agent
    : undefined;
}

const single = (agent: ListedAgent, task: string): Plan => ({ steps: [step("answer", agent, task)] });

const OUTPUT: { readonly [id: string]: string } = {
  documents: "The passages that match, each with its source.",
  data: "The figures, with a chart where there are several.",
  deck: "The presentation as a file.",
};

function step(id: string, agent: ListedAgent, instruction: string): Step {
  return { id, agent: agent.name, instruction, depends_on: [], expected_output: OUTPUT[id] ?? "The answer." };
}

function write(plan: Plan): PlaybookMove {
  if ("refusal" in plan) return refuse(plan.refusal, plan.needs);
  const needed = new Set(plan.steps.flatMap((one) => one.depends_on));
  const sinks = plan.steps.filter(({ id }) => !needed.has(id)).length;
  const steps = plan.steps.length === 1 ? plan.steps.map((one) => ({ ...one, id: "answer" })) : plan.steps;
  return say({
    name: "plan",
    steps: steps.map((one) => ({ ...one })),
    final: sinks === 1 ? "passthrough" : "synthesize",
  });
}

function refuse(refusal: string, needs = ""): PlaybookMove {
  return say({ name: "none", steps: [], final: "synthesize", refusal, needs });
}

const say = (plan: JsonObject): PlaybookMove => ({
  say: JSON.stringify({ refusal: "", needs: "", ...plan }),
});

function readAsked(request: ModelRequest): Asked | undefined {
  const [first] = request.messages;
  try {
    const text = first?.role === "user" ? first.text : lastUserText(request);
    const { task, agents, unreachable = [], conversation = [] } = JSON.parse(text) as Partial<Asked>;
    return typeof task === "string" && Array.isArray(agents)
      ? { task, agents, unreachable, conversation }
      : undefined;
  } catch {
    return undefined;
  }
}
