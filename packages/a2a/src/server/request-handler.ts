import { TaskState, type AgentCard, type SendMessageRequest, type Task } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotCancelableError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { ArtifactStore, Caller, Log, RunnableAgent } from "@troupe/core";

import type { PushOperations } from "../push/operations.ts";
import type { TaskStore } from "../store/task-store.ts";
import { EXT } from "../wire/extension.ts";
import { replyMessage } from "../wire/reply-message.ts";
import { isTerminal } from "../wire/state.ts";
import { traceOf } from "./http/call-trace.ts";
import { CallerUser } from "./http/gate.ts";
import { LEGACY_VERSION } from "./http/version.ts";
import { accountOf } from "./limits/limit-gate.ts";
import { guardedHandler } from "./guarded-handler.ts";
import { limitedHandler } from "./limits/limited-handler.ts";
import type { ServerLimits } from "./limits/server-limits.ts";
import { waitingTasks } from "./limits/waiting-tasks.ts";
import { landFiles } from "./land-files.ts";
import { listTasks } from "./list-tasks.ts";
import { pushHandler, pushOf, versionOf } from "./push-handler.ts";
import type { AgentRuntime } from "./runtime/agent-runtime.ts";
import { checkMessage, checkTaskId } from "./runtime/check-message.ts";
import { followFound } from "./runtime/follow-found.ts";
import { snapshotOf, type Found } from "./runtime/found.ts";
import { readRequest } from "./runtime/read-request.ts";
import type { SubmitOptions } from "./runtime/submissions.ts";
import { goneOf, settledOrLeft } from "./presence.ts";
import { positionOf } from "./stream-position.ts";
import { taskStream } from "./task-stream.ts";
import { needHistoryLength, trimHistory } from "./trim-history.ts";

export interface RequestHandlerOptions {
  readonly card: AgentCard;
  readonly runtime: AgentRuntime;
  readonly store: TaskStore;
  readonly log: Log;
  /** Results as data parts for a client that accepts both them and text, or names nothing. */
  readonly structured: boolean;
  readonly repliesWith?: RunnableAgent["repliesWith"];
  /** Absent, there is only the public card. */
  readonly extendedCard?: ExtendCard;
  readonly limits: ServerLimits;
  /** Absent, nobody is notified. */
  readonly push?: PushOperations;
  /** Where files go that come by value; they are refused when absent. */
  readonly files?: ArtifactStore;
}

/** The card that a caller gets to see, made of the public one. */
export type ExtendCard = (card: AgentCard, caller: Caller) => AgentCard | Promise<AgentCard>;

/** The protocol's operations over the runtime: the seam behind which every binding stands. */
export function createRequestHandler(options: RequestHandlerOptions): A2ARequestHandler {
  const { card, runtime, store, log, limits } = options;
  const waiting = waitingTasks(store, limits.waitingPerUser);

  const submitOptions = (params: SendMessageRequest, context: ServerCallContext): SubmitOptions => {
    const caller = callerIn(context);
    const trace = traceOf(context);
    return {
      owner: caller?.id ?? "",
      ...(trace === undefined ? {} : { trace }),
      ...(caller === undefined ? {} : { caller }),
      structured: wantsData(params.configuration?.acceptedOutputModes ?? [], options.structured),
      begin: async () => {
        // What answers a task that waits makes it one less.
        if ((params.message?.taskId ?? "") === "") await waiting.check(caller?.id ?? "");
        return accountOf(context.user)?.task() ?? (() => undefined);
      },
      waits: () => waiting.note(caller?.id ?? ""),
    };
  };
  const now = async (owner: string, taskId: string): Promise<Task> =>
    snapshotOf(await runtime.find(owner, taskId));
  const submit = async (params: SendMessageRequest, context: ServerCallContext): Promise<Found> => {
    const wanted = params.configuration?.taskPushNotificationConfig;
    // Whoever sends a message again means the same config.
    const config =
      wanted && pushOf(options).read(wanted, params.message?.messageId ?? "", versionOf(context));
    // Of what will be refused no file is kept.
    const { taskId: goesOn } = checkMessage(params.message);
    if (goesOn !== "") await runtime.find(ownerOf(context), goesOn);
    const landed = await landFiles(params.message, { files: options.files, user: callerIn(context)?.id });
    const found = await runtime.submit(landed, submitOptions(params, context));
    if (config === undefined) return found;
    const owner = ownerOf(context);
    const { id: taskId } = snapshotOf(found);
    await pushOf(options).attach({ owner, taskId }, config, "", () => now(owner, taskId));
    return found;
  };

  const repliesByMessage = ({ message }: SendMessageRequest, context: ServerCallContext): boolean => {
    const { repliesWith } = options;
    if (repliesWith === undefined || context.activatedExtensions?.includes(EXT) === true) return false;
    const checked = checkMessage(message);
    if (checked.taskId !== "") return false;
    const alone = { taskId: "", contextId: checked.contextId, history: [], caller: callerIn(context) };
    return repliesWith(readRequest(checked, alone)) === "message";
  };
  const settled = async (found: Found, context: ServerCallContext): Promise<void> => {
    if ("run" in found) await settledOrLeft(found.run.whenSettled, context);
    else if ("elsewhere" in found) await found.elsewhere.settled(goneOf(context));
  };

  const handler: A2ARequestHandler = {
    getAgentCard: () => Promise.resolve(card),
    async getAuthenticatedExtendedAgentCard(_params, context) {
      if (options.extendedCard === undefined)
        throw new UnsupportedOperationError("This agent has no extended card.");
      const caller = callerIn(context);
      if (caller === undefined)
        throw new UnsupportedOperationError("The extended card is for callers with a name.");
      return options.extendedCard(card, caller);
    },
    async sendMessage(sent, context) {
      const params = withRequestMetadata(sent);
      needHistoryLength(params.configuration?.historyLength);
      const byMessage = repliesByMessage(params, context);
      const found = await submit(params, context);
      if (byMessage || params.configuration?.returnImmediately !== true) await settled(found, context);
      const message = byMessage ? replyMessage(snapshotOf(found)) : undefined;
      return message ?? trimHistory(snapshotOf(found), params.configuration?.historyLength);
    },
    async *sendMessageStream(sent, context) {
      const params = withRequestMetadata(sent);
      needHistoryLength(params.configuration?.historyLength);
      const byMessage = repliesByMessage(params, context);
      const found = await submit(params, context);
      const historyLength = params.configuration?.historyLength;
      if (byMessage) {
        await settled(found, context);
        const value = replyMessage(snapshotOf(found));
        if (value !== undefined) {
          yield { payload: { $case: "message", value } };
          return;
        }
      }
      yield* taskStream((reader) => followFound(found, reader), context, historyLength);
    },
    async getTask(params, context) {
      needHistoryLength(params.historyLength);
      return trimHistory(
        snapshotOf(await runtime.find(ownerOf(context), needId(params.id))),
        params.historyLength,
      );
    },
    async cancelTask(params, context) {
      const task = await runtime.cancel(ownerOf(context), needId(params.id));
      if (task.status?.state === TaskState.TASK_STATE_CANCELED) return task;
      throw new TaskNotCancelableError(`Task ${params.id} has ended already.`);
    },
    async *resubscribe(params, context) {
      const found = await runtime.find(ownerOf(context), needId(params.id));
      needFollowable(found, context);
      // Who reads our events knows what it asked; a delegation may be large.
      const historyLength = context.activatedExtensions?.includes(EXT) === true ? 0 : undefined;
      // 0.3 marks the update with which a task begins to wait as the last one of its stream.
      const once = context.requestedVersion === LEGACY_VERSION;
      const owner = ownerOf(context);
      yield* taskStream(
        (reader) => (once ? followFound(found, reader) : runtime.follow(owner, found, reader)),
        context,
        historyLength,
      );
    },
    listTasks: (params, context) => listTasks(store, params, ownerOf(context)),
    ...pushHandler(options, ownerOf, now),
  };
  return guardedHandler(limitedHandler(handler, limits), card, log);
}

/** Clients may put a key beside the message instead of into it; the message's own wins. */
function withRequestMetadata(params: SendMessageRequest): SendMessageRequest {
  const { message, metadata } = params;
  if (message === undefined || metadata == null || Object.keys(metadata).length === 0) return params;
  return { ...params, message: { ...message, metadata: { ...metadata, ...message.metadata } } };
}

/** What a client accepts decides, where it leaves no choice. */
function wantsData(accepted: readonly string[], preferred: boolean): boolean {
  const json = accepted.includes("application/json");
  return json === accepted.includes("text/plain") ? preferred : json;
}

function callerIn({ user }: ServerCallContext): Caller | undefined {
  return user instanceof CallerUser ? user.caller : undefined;
}

function ownerOf(context: ServerCallContext): string {
  return callerIn(context)?.id ?? "";
}

/**
 * There is nothing to follow of a task that has ended, but for who comes back to a stream of it that
 * broke. 0.3 knows no such refusal.
 */
function needFollowable(found: Found, context: ServerCallContext): void {
  const { id, status } = snapshotOf(found);
  if (!isTerminal(status?.state) || positionOf(context)?.lastEventId !== undefined) return;
  if (context.requestedVersion === LEGACY_VERSION) return;
  throw new UnsupportedOperationError(`Task ${id} has ended; read it with GetTask.`);
}

function needId(id: string): string {
  if (id.trim() === "") throw new RequestMalformedError("The task id is missing.");
  return checkTaskId(id);
}
