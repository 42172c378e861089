import type { AgentCard, Message, SendMessageRequest } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { AgentError, type Caller, type CallerOptions, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { speaksExtension } from "../wire/card.ts";
import { EXT } from "../wire/extension.ts";
import { toMessage, type RemoteRequest } from "../wire/request.ts";
import type { CallHeaders } from "./call-headers.ts";
import type { AgentConnection, CallOptions, ListedTask, StreamOptions } from "./connection.ts";
import { isConnectionError, protocolError, toAgentError } from "./errors.ts";
import type { StreamPlaces } from "./event-ids.ts";
import { TaskFollower } from "./follower.ts";
import { linkedSignal } from "./linked-signal.ts";
import { listTasks } from "./list-tasks.ts";

export interface RemoteConnectionOptions {
  readonly client: Client;
  readonly card: AgentCard;
  /** The agent in words, to begin a sentence with. */
  readonly where: string;
  /** Kept up by what the client fetches with. */
  readonly places: StreamPlaces;
  /** Headers for each call, such as traceparent or Authorization. */
  readonly headers: (caller: Caller | undefined) => ReturnType<CallHeaders>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}

const CANCEL_TIMEOUT_MS = 10_000;
/** Stands for a task where an agent answered by message only: the answer is kept here. */
const MESSAGE_PREFIX = "message:";
/** Such answers that are kept for whoever joins; older ones are forgotten. */
const MAX_MESSAGES = 100;

/** The calls a remote agent takes. */
export interface RemoteConnection extends Omit<AgentConnection, "profile"> {
  /** The last tasks of a conversation, oldest first. Throws an `AgentError` where the agent lists none. */
  tasks(contextId: string, options: CallOptions): Promise<readonly ListedTask[]>;
}

export function remoteConnection(options: RemoteConnectionOptions): RemoteConnection {
  const { client, card, where, places, clock, newId, log } = options;
  const gapFree = speaksExtension(card);
  const messages = new Map<string, Message>();

  const calling = async (signal: AbortSignal, { caller }: CallerOptions) => ({
    signal,
    serviceParameters: { ...(await options.headers(caller)), ...(gapFree ? { "A2A-Extensions": EXT } : {}) },
  });
  const messageOf = (request: RemoteRequest): Message =>
    toMessage(request, request.messageId ?? newId(), {
      data: gapFree || takesJson(card),
      extensions: gapFree ? [EXT] : [],
    });
  const follower = (callOptions: StreamOptions, taskId?: string): TaskFollower => {
    const { signal, onTask } = callOptions;
    const wanted = { tenant: "", historyLength: 0 };
    return new TaskFollower(
      {
        agent: card.name,
        gapFree,
        getTask: async (id) => client.getTask({ ...wanted, id }, await calling(signal, callOptions)),
        place: places.of(signal),
        subscribe: async (id, lastEventId) => {
          const call = await calling(signal, callOptions);
          const back = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
          const serviceParameters = { ...call.serviceParameters, ...back };
          return client.resubscribeTask({ id, tenant: "" }, { ...call, serviceParameters });
        },
        clock,
        signal,
        log,
        ...(onTask === undefined ? {} : { onTask }),
      },
      taskId,
    );
  };
  const keep = (message: Message): string => {
    const taskId = `${MESSAGE_PREFIX}${newId()}`;
    messages.set(taskId, message);
    const [oldest] = messages.keys();
    if (messages.size > MAX_MESSAGES && oldest !== undefined) messages.delete(oldest);
    return taskId;
  };

  return {
    async *stream(request, callOptions) {
      const call = linkedSignal(callOptions.signal);
      const { signal } = call;
      const following = follower({ ...callOptions, signal });
      const message = messageOf(request);
      try {
        try {
          const stream = client.sendMessageStream(
            sendRequest(message, false),
            await calling(signal, callOptions),
          );
          yield* following.take(stream, { resumed: false });
        } catch (error) {
          if (signal.aborted || following.taskId === "" || !isConnectionError(error)) throw error;
        }
        if (following.finished) return;
        if (following.taskId === "")
          throw new AgentError("agent.protocol", `${where} ended its answer before it began.`);
        yield* following.resume();
      } catch (error) {
        throw toAgentError(error, where, signal);
      } finally {
        call.release();
      }
    },
    async send(request, callOptions) {
      const call = linkedSignal(callOptions.signal);
      const { signal } = call;
      const message = messageOf(request);
      try {
        const result = await client.sendMessage(
          sendRequest(message, true),
          await calling(signal, callOptions),
        );
        return { taskId: "messageId" in result ? keep(result) : result.id };
      } catch (error) {
        throw toAgentError(error, where, signal);
      } finally {
        call.release();
      }
    },
    async *join(taskId, callOptions) {
      const call = linkedSignal(callOptions.signal);
      const { signal } = call;
      const following = follower({ ...callOptions, signal }, taskId);
      try {
        if (!taskId.startsWith(MESSAGE_PREFIX)) {
          yield* following.resume();
          return;
        }
        const value = messages.get(taskId);
        if (value === undefined)
          throw new AgentError(
            "agent.task-lost",
            `${where} answered without a task, and that answer is gone.`,
            { retryable: true },
          );
        yield* following.push({ $case: "message", value });
      } catch (error) {
        throw toAgentError(error, where, signal);
      } finally {
        call.release();
      }
    },
    async tasks(contextId, callOptions) {
      const call = linkedSignal(callOptions.signal);
      const { signal } = call;
      try {
        return await listTasks(client, contextId, await calling(signal, callOptions));
      } catch (error) {
        throw toAgentError(error, where, signal);
      } finally {
        call.release();
      }
    },
    async cancel(taskId, callOptions = {}) {
      if (taskId.startsWith(MESSAGE_PREFIX)) return;
      const call = new AbortController();
      const stop = clock.schedule(CANCEL_TIMEOUT_MS, () =>
        call.abort(new AgentError("agent.timeout", `${where} did not answer the cancellation.`)),
      );
      try {
        const canceled = { id: taskId, tenant: "", metadata: undefined };
        await client.cancelTask(canceled, await calling(call.signal, callOptions));
      } catch (error) {
        // A task that has ended needs no canceling.
        if (protocolError(error)?.name.includes("TaskNotCancelable") === true) return;
        throw toAgentError(error, where, call.signal);
      } finally {
        stop();
      }
    },
  };
}

/** An agent that lists its input modes may refuse any other. */
function takesJson({ defaultInputModes: modes }: AgentCard): boolean {
  return modes.length === 0 || modes.some((mode) => mode === "*/*" || /^application\/(\*|json)$/.test(mode));
}

function sendRequest(message: Message, returnImmediately: boolean): SendMessageRequest {
  return {
    tenant: "",
    message,
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      // What was asked need not come back, least of all a delegation with its results.
      historyLength: 0,
      returnImmediately,
    },
    metadata: undefined,
  };
}
