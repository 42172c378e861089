import { withSubject, type AgentEntry, type RequestSubject } from "@troupe/core";
import { deedIn } from "@troupe/core/request";

import type { WorkflowInput } from "../schema/workflow-schema.ts";
import { dataPhraseOf, intentsOf, textPhraseOf, topicOf, wantsOverview } from "./intents.ts";
import { refusalOf } from "./refusal.ts";
import { agentFor, sharedWords, specialistFor } from "./roles.ts";
import { thenOrdered } from "./then-ordered.ts";

/** The one agent a task clearly goes to, also while it is down, or undefined when that takes judgement. */
export function singleAgentFor(task: string, agents: readonly AgentEntry[]): AgentEntry | undefined {
  if (refusalOf(task, agents) !== undefined || thenOrdered(task) !== undefined) return undefined;
  if (agents.length === 1) return agents[0];
  if (deedIn(task) !== undefined) return specialistFor(task, agents);
  const intents = intentsOf(task);
  // A presentation needs something to present: only its own agent being there makes it a single step.
  if (intents.has("deck") || intents.size !== 1) return undefined;
  const [role] = intents;
  return role && agentFor(role, agents, task);
}

export function singleStep(task: string, agent: AgentEntry): WorkflowInput {
  return {
    version: 1,
    name: nameOf(task),
    steps: [{ id: "answer", agent: agent.name, instruction: task }],
    final: "passthrough",
  };
}

/** A deed is for who does it, whatever kind of thing it is done to. */
const NONE: ReturnType<typeof intentsOf> = new Set();

/**
 * Plans by fixed rules from the agents' skills: a presentation is research and, where figures are asked
 * for, data in parallel, then the deck; a question for texts and for figures is both and a synthesis.
 * Anything else is one step: for a specialist whose skills it names, or for the documents, unless only
 * the skills of the data agent speak of it. An agent that is down has its steps all the same. Undefined
 * when no agent fits, or the task is refused.
 */
export function planByRules(task: string, agents: readonly AgentEntry[]): WorkflowInput | undefined {
  if (refusalOf(task, agents) !== undefined) return undefined;
  const then = thenOrdered(task);
  const doer = then && specialistFor(then.deed, agents);
  if (then && doer) return withDeed(planByRules(then.first, agents), then.deed, doer, task);
  const intents = deedIn(task) === undefined ? intentsOf(task) : NONE;
  const documents = agentFor("documents", agents, task);
  const data = agentFor("data", agents, task);
  const deck = agentFor("deck", agents, task);
  if (intents.has("deck") && deck) return presentation(task, intents.has("data"), { documents, data, deck });
  if (intents.has("data") && intents.has("documents") && documents && data) {
    return {
      version: 1,
      name: nameOf(task),
      mode: "parallel",
      steps: [
        research(
          documents,
          { kind: wantsOverview(task) ? "overview" : "question", subject: textPhraseOf(task) },
          task,
        ),
        figures(data, task),
      ],
      final: "synthesize",
    };
  }
  const specialist = intents.size === 0 ? specialistFor(task, agents) : undefined;
  const speaksOf = (agent: AgentEntry | undefined): number => (agent ? sharedWords(task, agent) : 0);
  const figured =
    intents.has("data") || (intents.size === 0 && speaksOf(data) > Math.max(1, speaksOf(documents)));
  const one = specialist ?? (figured ? data : documents) ?? documents ?? data;
  return one && singleStep(task, one);
}

/** What is done with the outcome, by whoever does such things, once all of it is there. */
function withDeed(
  plan: WorkflowInput | undefined,
  deed: string,
  doer: AgentEntry,
  task: string,
): WorkflowInput | undefined {
  if (plan === undefined) return undefined;
  const last = {
    id: "then",
    agent: doer.name,
    instruction: `Do this with what the steps before made: ${deed}.\nIt is for this request: "${task}"`,
    depends_on: plan.steps.flatMap(({ id }) => id ?? []),
  };
  return { ...plan, mode: "parallel", steps: [...plan.steps, last], final: "synthesize" };
}

interface Team {
  readonly documents: AgentEntry | undefined;
  readonly data: AgentEntry | undefined;
  readonly deck: AgentEntry;
}

function presentation(task: string, wantsData: boolean, team: Team): WorkflowInput {
  const asksData = team.data !== undefined && (wantsData || !team.documents);
  const about: RequestSubject = { kind: "overview", subject: topicOf(task, asksData) };
  const steps: WorkflowInput["steps"] = [];
  if (team.documents) steps.push(research(team.documents, about, task));
  if (team.data && asksData) steps.push(figures(team.data, task));
  if (steps.length === 0) return singleStep(task, team.deck);
  return {
    version: 1,
    name: nameOf(task),
    mode: "parallel",
    steps: [
      ...steps,
      { ...deckStep(team.deck, task, about, wantsData), depends_on: steps.flatMap((step) => step.id ?? []) },
    ],
    final: "passthrough",
  };
}

/** A presentation of what other steps found; which these are is for the caller to add. */
export function deckStep(
  agent: AgentEntry,
  task: string,
  about: RequestSubject,
  withCharts: boolean,
): WorkflowInput["steps"][number] & { readonly instruction: string } {
  return {
    id: "deck",
    agent: agent.name,
    instruction: withSubject(
      `Create the presentation that was asked for: "${task}"\nUse the findings of the steps before, with the source of every statement${withCharts ? ", and show the figures as charts" : ""}.`,
      about,
    ),
    expected_output: "A saved PowerPoint file and a short summary of its slides.",
    timeout_seconds: 600,
  };
}

export function research(
  agent: AgentEntry,
  about: RequestSubject,
  task: string,
): WorkflowInput["steps"][number] {
  return {
    id: "research",
    agent: agent.name,
    instruction: askForFindings(about, task),
    expected_output: "Findings, each with a citation.",
    depends_on: [],
  };
}

export function askForFindings(about: RequestSubject, task: string): string {
  const context = about.subject === task ? "" : `\nIt is for this request: "${task}"`;
  return withSubject(
    `Find what the documents say about: ${about.subject.replace(/[^?]$/, "$&.")}${context}\nState each finding with its source.`,
    about,
  );
}

export function figures(agent: AgentEntry, task: string): WorkflowInput["steps"][number] {
  return {
    id: "data",
    agent: agent.name,
    instruction: askForFigures(dataPhraseOf(task) || "the main figures", task),
    expected_output: "The figures in words and at least one chart.",
    depends_on: [],
  };
}

export const askForFigures = (wanted: string, task: string): string =>
  withSubject(
    `Query the data for: ${wanted}. Show the main result as a chart.\nIt is for this request: "${task}"`,
    { kind: "question", subject: wanted },
  );

/** The task on one line, as a name. */
export function nameOf(task: string): string {
  const line = task.replaceAll(/\s+/g, " ").trim();
  return line.length <= 80 ? line || "task" : `${line.slice(0, 79)}…`;
}
