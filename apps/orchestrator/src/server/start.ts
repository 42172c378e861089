import { serveAgent } from "@troupe/a2a/server";
import type { TaskStore } from "@troupe/a2a";
import { systemClock, type Log } from "@troupe/core";
import { answerCheck } from "@troupe/checks";
import { playbookModel } from "@troupe/playbook";
import {
  audienceOf,
  createModelHealth,
  createMetrics,
  delegationHeaders,
  delegationIssuer,
  homeArtifacts,
  lockHome,
  shareHome,
  metricsHandler,
  newId,
  openTasks,
  openDelegationKey,
  openProcessAuth,
  requireLoopback,
  serveOptions,
  type DelegationIssuer,
  type Running,
} from "@troupe/service";

import { createOrchestrator } from "../orchestrator/create-orchestrator.ts";
import { problemOf, readServers } from "../cli/server-record.ts";
import { apiHandler } from "./api.ts";
import { chooseModels } from "./choose-models.ts";
import type { TakenReply } from "./run-routes.ts";
import { keySetHandler } from "./key-set-handler.ts";
import { redactOf } from "./redact-setting.ts";
import { openRuns } from "./open-runs.ts";
import type { OrchestratorSettings } from "./settings.ts";

/**
 * Serves the orchestrator over A2A until it is closed. It owns its home folder meanwhile, unless its runs are
 * journaled elsewhere: then replicas may have one together.
 */
export async function start(settings: OrchestratorSettings, tools: { readonly log: Log }): Promise<Running> {
  const { log } = tools;
  let listensAt: readonly string[] = [];
  const auth = openProcessAuth(settings, { addresses: () => listensAt, log });
  if (auth === undefined) requireLoopback(settings.host);
  const lock = settings.engine === "embedded" ? lockHome(settings.home) : shareHome(settings.home);
  try {
    let url = "";
    const files = homeArtifacts({
      home: settings.home,
      baseUrl: () => url,
      log,
      authenticated: auth !== undefined,
    });
    const health = createModelHealth(systemClock);
    const embedded = playbookModel({ clock: systemClock });
    const {
      model: writer,
      planner,
      describe,
    } = chooseModels(settings, {
      onOutcome: (failure) => health.onOutcome(failure),
      embedded,
      clock: systemClock,
      log,
    });
    log.info(describe);
    const listening = Promise.withResolvers<string>();
    // Nobody waits for it where no agent asks who calls.
    listening.promise.catch(() => undefined);
    const delegates = auth === undefined ? undefined : await openDelegates(settings, listening.promise);
    // Before runs are taken up: without its tasks it could tell nobody of them.
    const tasks = await openTasks({
      home: settings.home,
      name: "orchestrator",
      url: settings.tasks_url,
      log,
    });
    const runs = await openRuns(settings, { log }).catch(async (error: unknown) => {
      await tasks.close();
      throw error;
    });
    const letGo = async (error: unknown): Promise<never> => {
      await runs.engine?.close();
      await runs.close();
      await tasks.close();
      throw error;
    };
    const askedAgain = await cutOffIn(tasks.store).catch(letGo);
    const orchestrator = await createOrchestrator({
      agents: settings.agents,
      whyDown: (agent) => {
        const [orchestrator = ""] = listensAt;
        const app = readServers(settings.home, orchestrator).find(({ url }) => url === agent);
        return app && problemOf(app, systemClock.now());
      },
      model: writer.model,
      plannerModel: planner.model,
      fallback: embedded,
      prices: settings.prices,
      ...(settings.answer_check === "off" ? {} : { answerCheck }),
      answerReview: settings.answer_check === "model",
      home: settings.home,
      ...(runs.engine === undefined ? {} : { engine: runs.engine }),
      askedAgain,
      keepRuns: { ms: settings.runs_keep_days * 86_400_000, bytes: settings.runs_keep_mb * 1_000_000 },
      clock: systemClock,
      newId,
      log,
      files: files.store,
      allowedOrigins: settings.allowed_origins,
      calls: settings.agent_calls,
      approvePlans: settings.approve_plans,
      maxReplans: settings.max_replans,
      ...redactOf(settings.redact),
      ...(settings.questions_expire_seconds === undefined
        ? {}
        : { questionsExpireMs: settings.questions_expire_seconds * 1_000 }),
      stepTimeoutMs: settings.step_timeout_seconds * 1_000,
      ...(delegates === undefined ? {} : { headers: delegationHeaders(delegates) }),
    }).catch(letGo);
    const metrics = createMetrics();
    const tellTask = ({ runId, reply, user, caller }: TakenReply): void => {
      const whose = caller === undefined && user !== undefined ? { userId: user } : {};
      const metadata = { reply_taken: true, through: "api" };
      // A task that does not wait is told by the turn it is in; a run without one has nobody to tell.
      served
        .send({ taskId: runId, reply, metadata, ...whose }, caller)
        .catch((error: unknown) => log.debug("no task was told of an answer", { runId, error }));
    };
    const closeAll = async (error: unknown): Promise<never> => {
      listening.reject(error);
      await orchestrator.close();
      await runs.close();
      await tasks.close();
      throw error;
    };
    const agent = orchestrator.agent.profile.name;
    const options = await serveOptions(settings, { auth, agent }).catch(closeAll);
    const served = await serveAgent({
      agent: orchestrator.agent,
      store: tasks.store,
      // Runs go on when it is started again.
      handOver: true,
      ...options,
      clock: systemClock,
      newId,
      log,
      metrics,
      openRoutes: (app) => {
        if (delegates !== undefined) app.use(keySetHandler(delegates));
        files.openRoutes(app);
      },
      files: files.store,
      ready: async () => {
        const [model, tools] = await Promise.all([health.unanswered(writer.model), runs.unanswered()]);
        return { model, tools };
      },
      takesTime: files.takesTime,
      routes: (app) => {
        files.routes(app);
        app.use(metricsHandler(metrics));
        app.use(
          apiHandler(
            orchestrator,
            { kind: writer.kind, describe, answerCheck: settings.answer_check },
            systemClock,
            tellTask,
          ),
        );
      },
    }).catch(closeAll);
    listensAt = [served.url];
    url = settings.public_url ?? served.url;
    listening.resolve(url);
    const { instance } = served;
    const publicUrl = settings.public_url === undefined ? {} : { publicUrl: settings.public_url };
    lock.announce({ pid: process.pid, url: served.url, ...publicUrl, instance, since: systemClock.now() });
    return {
      url: served.url,
      async close() {
        try {
          // In one go: tasks that end cancel their runs, but a run the engine let go of goes on next time.
          await Promise.all([orchestrator.close(), served.close()]);
        } finally {
          await runs.close();
          await tasks.close();
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** How it calls agents in the name of whoever began a run; a run that goes on waits until it listens. */
async function openDelegates(
  { home, issuer }: OrchestratorSettings,
  listening: Promise<string>,
): Promise<DelegationIssuer> {
  return delegationIssuer({
    key: await openDelegationKey(home),
    actor: "orchestrator",
    issuer:
      issuer === undefined ? listening.then((url) => audienceOf(url) ?? url) : (audienceOf(issuer) ?? issuer),
    clock: systemClock,
    newId,
  });
}

/** Runs of the tasks that were being worked on when the process before ended. */
async function cutOffIn(store: Pick<TaskStore, "unfinished">): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  // The run of a task has its id.
  for await (const { task } of store.unfinished()) runs.add(task.id);
  return runs;
}
