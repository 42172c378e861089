import type { AgentEvent, Decision, StepState } from "@troupe/stream";

import { createDagDriver } from "../../driver/create-dag-driver.ts";
import { blockedBy } from "../../driver/policy.ts";
import { readAnswer } from "../../engine/answer-value.ts";
import { fromJson } from "../../engine/json.ts";
import { foldRun } from "../../engine/fold-run.ts";
import { PLAN_REQUEST, planHash } from "../../engine/plan-request.ts";
import { runInputSchema, type RunOutcome, type StepOutcome } from "../../engine/run.ts";
import { exportRun } from "../../runs/export-run.ts";
import { replayRun } from "../../runs/replay-run.ts";
import { memoryEngine } from "../memory-engine.ts";
import { memoryEventLog } from "../memory-event-log.ts";
import { memoryJournal } from "../memory-journal.ts";
import { STEP_RULES } from "../model/rules.ts";
import { scriptedGateway } from "../scripted-gateway.ts";
import { virtualClock } from "@troupe/core/testing";
import { RUN, type Simulated } from "./simulate-run.ts";

/** What must hold of every run, whatever became of it; one line for each that does not. */
export async function checkRun(run: Simulated): Promise<readonly string[]> {
  const { outcome } = run;
  if (outcome === undefined)
    return [`it has not ended; its journal: ${run.journal.names(RUN).slice(-5).join(", ")}`];
  return [
    ...redone(run),
    ...keptAsTheyAre(run, outcome),
    ...agentsAtWork(run),
    ...signalsKept(run, outcome),
    ...stepsHonest(run, outcome),
    ...outcomeHonest(run, outcome),
    ...runsWhatWasApproved(run, outcome),
    ...runsWhatWasAdded(run, outcome),
    ...inTime(run, outcome),
    ...withinBudget(run, outcome),
    ...eventsInOrder(run),
    ...(await replays(run, outcome)),
    ...(await toldAlike(run, outcome)),
  ];
}

/** A step whose result is in the journal is not sent again, and none more often than it may be. */
function redone({ redone: again, gateway, spec }: Simulated): readonly string[] {
  const problems = again.map((messageId) => `${messageId} was sent though its step was done`);
  for (const { id, retry } of spec.steps) {
    const attempts = gateway.calls.filter(({ request }) =>
      new RegExp(`^${RUN}/${id}#\\d+$`).test(request.messageId),
    ).length;
    if (attempts > retry.attempts + LOSSES) problems.push(`step ${id} was begun ${attempts} times`);
  }
  return problems;
}

/** See `agent-step.ts`: what an agent lost is sent again so often. */
const LOSSES = 3;

/** What an earlier run found is neither done again nor changed, and counts for that run only. */
function keptAsTheyAre({ journal, gateway }: Simulated, { steps }: RunOutcome): readonly string[] {
  const { kept = {} } = runInputSchema.parse(journal.run(RUN)?.input);
  return Object.entries(kept).flatMap(([id, result]) => {
    const sent = gateway.calls.some(({ request }) => request.messageId.startsWith(`${RUN}/${id}#`));
    const told = steps.find(({ stepId }) => stepId === id);
    return [
      ...(sent ? [`step ${id} was sent though its result was kept`] : []),
      ...(JSON.stringify(told) === JSON.stringify(result) ? [] : [`step ${id} was kept and is another now`]),
    ];
  });
}

function agentsAtWork({ gateway, spec }: Simulated): readonly string[] {
  const problems = gateway.running === 0 ? [] : [`${gateway.running} agents still work`];
  // Tasks that were given up may run until their agent has heard of it.
  const unbounded = gateway.canceled.length > 0 || spec.maxParallel === undefined;
  return unbounded || gateway.peak <= (spec.maxParallel ?? 0)
    ? problems
    : [...problems, `${gateway.peak} agents worked at once, of ${spec.maxParallel}`];
}

/** An answer that was accepted was used by whatever waited for it. */
function signalsKept(run: Simulated, outcome: RunOutcome): readonly string[] {
  const taken = new Set(run.journal.names(RUN));
  const asked = new Set(
    run.events.flatMap((event) => (event.type === "input-required" ? [event.request.requestId] : [])),
  );
  const problems = run.people.again.flatMap((said) =>
    said === "accepted" ? ["a second answer was accepted"] : [],
  );
  const unused = [...run.people.answers].flatMap(([requestId, { value, told }]) => {
    if (told === "duplicate") return [`the answer to ${requestId} was given once and is told to be a second`];
    // One that came as the run was stopped came too late.
    const stopped = outcome.outcome === "canceled" || outcome.error?.code === "workflow.deadline";
    if (told === "no-run" || !asked.has(requestId) || stopped) return [];
    const signal = requestId.includes("#") ? `signal:reply:${requestId}` : `signal:human:${requestId}`;
    // It came when the time for it was over.
    if (taken.has(`timer:${requestId}/expiry`) && !taken.has(signal)) return [];
    if (!taken.has(signal)) return [`the answer to ${requestId} was accepted and never taken`];
    const step = outcome.steps.find(({ stepId }) => stepId === requestId);
    const { values } = value as { readonly values: object };
    const used = step === undefined || JSON.stringify(step.data) === JSON.stringify({ values });
    return used
      ? []
      : [`step ${requestId} was answered ${JSON.stringify(values)} and has ${JSON.stringify(step?.data)}`];
  });
  return [...problems, ...unused];
}

function stepsHonest({ spec, gateway }: Simulated, { steps, outcome, error }: RunOutcome): readonly string[] {
  const problems: string[] = [];
  const ended = new Map(steps.map((step) => [step.stepId, step]));
  const stopped = steps.some(({ stepId, outcome: state }) => {
    const policy = spec.steps.find(({ id }) => id === stepId)?.onFailure;
    return state === "failed" && policy === "fail";
  });
  for (const step of spec.steps) {
    const result = ended.get(step.id);
    if (result === undefined) {
      problems.push(`step ${step.id} has no result`);
      continue;
    }
    const before = step.dependsOn.flatMap((id) => ended.get(id) ?? []);
    const blocked = before.some((other) => blockedBy(other, policyOf(spec.steps, other)) !== undefined);
    const sent = gateway.calls.filter(({ request }) => request.messageId.startsWith(`${RUN}/${step.id}#`));
    if (blocked && sent.length > 0) problems.push(`step ${step.id} was sent though it is blocked`);
    if (result.outcome === "skipped" && !blocked && !stopped && error === undefined)
      problems.push(`step ${step.id} was skipped without a cause`);
    if (result.outcome === "canceled" && outcome !== "canceled" && sent.length === 0)
      problems.push(`step ${step.id} was canceled, and nobody canceled it`);
    if (result.outcome === "completed" && step.kind === "agent" && result.answer !== step.instruction)
      problems.push(`step ${step.id} is completed with "${result.answer}"`);
    for (const { request } of sent) problems.push(...handedOn(step.id, request.delegation.results, before));
  }
  return problems;
}

/** A step is handed the results of what it depends on, and these are the results that were told. */
function handedOn(
  id: string,
  handed: { readonly [step: string]: { readonly answer: string } },
  before: readonly StepOutcome[],
): readonly string[] {
  const names = Object.keys(handed).toSorted().join();
  const expected = before
    .map(({ stepId }) => stepId)
    .toSorted()
    .join();
  if (names !== expected) return [`step ${id} was handed results of ${names}, and depends on ${expected}`];
  return before.flatMap(({ stepId, answer }) =>
    handed[stepId]?.answer === answer ? [] : [`step ${id} was handed another answer of ${stepId}`],
  );
}

function policyOf(
  steps: Simulated["spec"]["steps"],
  { stepId }: StepOutcome,
): Simulated["spec"]["steps"][number]["onFailure"] {
  return steps.find(({ id }) => id === stepId)?.onFailure ?? "fail";
}

/** The word on the plan that the run took; undefined where it took none. */
function wordTaken({ journal }: Pick<Simulated, "journal">) {
  const entry = journal.entries(RUN).find(({ name }) => name === `signal:human:${PLAN_REQUEST}`);
  if (entry?.value.ok !== true) return undefined;
  const { reply, spec } = readAnswer(entry.value.value);
  const { decisions } = fromJson<{ readonly decisions: readonly Decision[] }>(reply);
  return { type: decisions[0]?.type, spec };
}

/** Nothing runs before a person said so, and what runs then is what they said. */
function runsWhatWasApproved(run: Simulated, { plan }: RunOutcome): readonly string[] {
  const { approval } = runInputSchema.parse(run.journal.run(RUN)?.input);
  const word = wordTaken(run);
  const approved = word?.type === "approve" || word?.type === "edit";
  if (approval === undefined || approval.given === true)
    return plan === undefined ? [] : ["nobody was asked for its plan"];
  if (!approved)
    return run.gateway.calls.length === 0 && plan === undefined ? [] : ["it ran without a person's word"];
  const told = run.events.flatMap((event) => (event.type === "plan-update" ? event.plan.name : []));
  const { name } = word.spec ?? run.begun;
  const first = told.slice(0, 2);
  return [
    ...(plan?.hash === planHash(word.spec ?? run.begun) ? [] : ["it ran another plan than was approved"]),
    ...(first.length === 2 && first[1] === name ? [] : [`it told the plans ${told.join(", ")}`]),
  ];
}

/** Added steps match the journal and the events, each once, and have an approval if the plan needed one. */
function runsWhatWasAdded({ journal, begun, events }: Simulated, run: RunOutcome): readonly string[] {
  const { revisions = [], steps } = run;
  const { approval } = runInputSchema.parse(journal.run(RUN)?.input);
  const asked = journal.entries(RUN).flatMap(({ name, value }) => {
    if (!/^synthesize(\.\d+)?$/.test(name) || !value.ok) return [];
    const { value: written } = fromJson<{ readonly value?: { readonly more?: { steps: object[] } } }>(
      value.value,
    );
    return written?.more?.steps ? [written.more.steps] : [];
  });
  const told = events.findLast((event) => event.type === "plan-update" && event.stepId === undefined);
  const last = told?.type === "plan-update" ? told.plan : undefined;
  const names = steps.map(({ stepId }) => stepId).join();
  return [
    ...(revisions.length > (begun.maxReplans ?? 0) ? [`it was revised ${revisions.length} times`] : []),
    ...revisions.flatMap(({ steps: added, refused, approved }, at) => {
      const same = JSON.stringify(added) === JSON.stringify(refused === undefined ? asked[at] : []);
      const word = approval === undefined ? undefined : (refused ?? approved);
      return same && (approval === undefined) === (word === undefined) ? [] : [`revision ${at} is another`];
    }),
    ...(last?.steps.map(({ id }) => id).join() === names ? [] : ["it tells other steps than it ran"]),
    ...((last?.revisions?.length ?? 0) === revisions.length ? [] : ["it tells other revisions than it made"]),
  ];
}

function outcomeHonest(simulated: Simulated, run: RunOutcome): readonly string[] {
  const { journal, cancel } = simulated;
  const taken = journal.names(RUN).includes("signal:$cancel");
  const canceled = taken || wordTaken(simulated)?.type === "reject";
  if ((run.outcome === "canceled") !== canceled)
    return [`it is ${run.outcome}, canceled: ${String(canceled)}`];
  if (cancel === "no-run" && taken) return ["the cancel was refused and taken"];
  const cut = run.error?.code === "workflow.deadline" || run.error?.code === "workflow.budget";
  const whole = run.steps.every(({ outcome }) => outcome === "completed") && !cut;
  const answered = run.response.content !== "" || run.artifacts.length > 0;
  if (run.outcome === "completed" && !(whole && answered)) return ["it is completed, and not all of it is"];
  if (run.outcome === "partial" && whole) return ["it is partial, and all of it is completed"];
  if (run.outcome === "failed" && run.steps.some(({ agent, answer }) => agent !== "" && answer.trim() !== ""))
    return ["it has an answer and failed"];
  return [];
}

/** What tells agents to stop, and a call that comes back late. */
const AT_THE_END_MS = 30_000;
/** A process that died is back by then; see `machine.ts`. */
const AWAY_MS = 125_000;

function inTime({ spec, journal, deaths, tookMs, logged }: Simulated, run: RunOutcome): readonly string[] {
  const problems: string[] = [];
  const fellDue = journal.names(RUN).includes("timer:deadline");
  const cut = run.steps.filter(({ error }) => error?.code === "workflow.deadline");
  if (cut.length > 0 && !fellDue)
    problems.push(`step ${cut[0]?.stepId ?? ""} was given up before the deadline`);
  if (cut.length > 0 && run.outcome !== "canceled" && run.error?.code !== "workflow.deadline")
    problems.push("its deadline ended it, and it does not say so");
  const { deadlineMs = Infinity } = spec;
  // Its time begins with the word on its plan, where that is asked for.
  const asked = logged.some(({ event }) => isOnPlan(event));
  const approved = logged.find(({ key }) => key === "plan/approved")?.at ?? Infinity;
  const before = asked ? approved - (logged[0]?.at ?? 0) : 0;
  if (tookMs - before > deadlineMs + AT_THE_END_MS + deaths * AWAY_MS)
    problems.push(`it took ${tookMs} ms, of ${deadlineMs}`);
  return problems;
}

function isOnPlan(event: AgentEvent): boolean {
  return event.type === "input-required" && event.request.requestId === PLAN_REQUEST;
}

/** What was told to be used stays below the limit, as agents hold to what they are handed. */
function withinBudget({ spec, gateway }: Simulated, run: RunOutcome): readonly string[] {
  const { maxTotalTokens = Infinity } = spec.limits ?? {};
  const used = run.usage.outputTokens;
  const problems = used > maxTotalTokens ? [`it used ${used} tokens of ${maxTotalTokens}`] : [];
  // A request to the model may be larger than what is left.
  const unwritten = run.error?.message.startsWith("The answer was not written") === true;
  if (run.error?.code === "workflow.budget" && used < maxTotalTokens && !unwritten)
    problems.push(`its limit is said to be used up, with ${used} of ${maxTotalTokens} tokens`);
  const unpaid = gateway.calls.filter(({ request }) => {
    const { maxTotalTokens: handed } = request.delegation.limits;
    return maxTotalTokens < Infinity && !(handed !== undefined && handed >= 1 && handed <= maxTotalTokens);
  });
  return [...problems, ...unpaid.map(({ request }) => `${request.messageId} was sent without a share`)];
}

/** Where a step may go from each state. */
const mayGo = (from: StepState, to: StepState): boolean =>
  STEP_RULES.some((rule) => rule.when !== "kept" && rule.from === from && rule.to === to);

function eventsInOrder({ events, logged, spec }: Simulated): readonly string[] {
  const problems: string[] = [];
  const states = new Map<string, StepState>(spec.steps.map(({ id }) => [id, "pending"]));
  for (const event of events) {
    if (event.type !== "step-status") continue;
    const from = states.get(event.step) ?? "pending";
    const kept = from === "pending" && event.reason?.startsWith("kept from run ") === true;
    if (!kept && !mayGo(from, event.state))
      problems.push(`step ${event.step} went from ${from} to ${event.state}`);
    states.set(event.step, event.state);
  }
  // Events of an unfinished answer stay in the log next to the answer of the next process.
  const own = logged.filter(
    ({ key, event }) => event.agent === "orchestrator" && !key.startsWith("synthesize/"),
  );
  own.forEach(({ event: { seq } }, at) => {
    const before = own[at - 1]?.event.seq ?? -1;
    if (seq <= before) problems.push(`event ${seq} of the run comes after ${before}`);
  });
  const ends = events.flatMap((event, at) =>
    event.type === "finish" && event.stepId === undefined ? [at] : [],
  );
  if (ends.length !== 1) problems.push(`it has ${ends.length} ends`);
  const after = events.length - 1 - (ends[0] ?? events.length - 1);
  if (after > 0) problems.push(`${after} events come after its end`);
  return problems;
}

/** Driven by its journal alone, by agents nobody may ask, it comes to the same end. */
async function replays({ begun: spec, journal }: Simulated, outcome: RunOutcome): Promise<readonly string[]> {
  const copy = memoryJournal();
  const { entries, signals, timers } = journal.load(RUN);
  await copy.addRun({ runId: RUN, spec, input: journal.run(RUN)?.input ?? null }, 0);
  for (const [at, { name, value }] of entries.entries())
    await copy.addEntry(RUN, at, name, JSON.stringify(value));
  for (const [name, value] of signals) await copy.addSignal(RUN, name, value, name);
  for (const [name, due] of timers) await copy.addTimer(RUN, name, due);
  const clock = virtualClock();
  const events = memoryEventLog();
  const gateway = scriptedGateway(() => ({ never: true }), clock);
  const engine = memoryEngine({ clock, journal: copy, events });
  await engine.register(createDagDriver({ gateway, eventLog: events, clock, newId: () => "x" }));
  await clock.advance(0);
  const again = copy.outcome(RUN) ?? undefined;
  await engine.close();
  if (gateway.calls.length > 0)
    return [`a replay asked an agent: ${gateway.calls[0]?.request.messageId ?? ""}`];
  if (again === undefined) return ["a replay does not end"];
  return JSON.stringify(again) === JSON.stringify(outcome) ? [] : ["a replay ends otherwise"];
}

/** Exported and replayed it comes to the same decisions, events and outcome. */
async function toldAlike(
  { begun: spec, journal, logged }: Simulated,
  outcome: RunOutcome,
): Promise<readonly string[]> {
  const { entries, signals } = journal.load(RUN);
  const view = foldRun({ runId: RUN, name: spec.name, objective: "", createdAt: 0 }, logged);
  const recorded = { spec, input: journal.run(RUN)?.input ?? null, outcome, journal: entries, signals };
  const { differences } = await replayRun(exportRun({ view, recorded, events: logged }, (text) => text));
  return differences.map(({ message }) => `a replay of its export: ${message}`);
}
