import type { AgentCard, Message, SendMessageRequest } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { AgentError, type Caller, type Log } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { speaksExtension } from "../wire/card.ts";
import { EXT } from "../wire/extension.ts";
import { toMessage, type RemoteRequest } from "../wire/request.ts";
import type { AgentConnection, CallOptions, ListedTask, StreamOptions } from "./connection.ts";
import type { AgentGate } from "./agent-gate.ts";
import type { CallHeaders } from "./call-headers.ts";
import type { ResolvedLimits } from "./call-limits.ts";
import { createCalls, type Call } from "./calls.ts";
import { isAway, isTooLarge, protocolError, toAgentError } from "./errors.ts";
import { placeOf, putPlace } from "./event-ids.ts";
import { TaskFollower } from "./follower.ts";
import { listTasks } from "./list-tasks.ts";
import { openStream } from "./open-stream.ts";

export interface RemoteConnectionOptions {
  readonly client: Client;
  readonly card: AgentCard;
  /** The agent in words, to begin a sentence with. */
  readonly where: string;
  /** Headers for each call, such as traceparent or Authorization. */
  readonly headers: (caller: Caller | undefined) => ReturnType<CallHeaders>;
  readonly gate: AgentGate;
  readonly limits: ResolvedLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Log;
}

/** Stands for a task where an agent answered by message only: the answer is kept here. */
const MESSAGE_PREFIX = "message:";
/** Such answers that are kept for whoever joins; older ones are forgotten. */
const MAX_MESSAGES = 100;

/** The calls a remote agent takes. */
export interface RemoteConnection extends Omit<AgentConnection, "profile" | "overview"> {
  /** The last tasks of a conversation, oldest first. Throws an `AgentError` where the agent lists none. */
  tasks(contextId: string, options: CallOptions): Promise<readonly ListedTask[]>;
}

export function remoteConnection(options: RemoteConnectionOptions): RemoteConnection {
  const { client, card, where, limits, newId } = options;
  const gapFree = speaksExtension(card);
  const messages = new Map<string, Message>();
  const calls = createCalls({
    ...options,
    headers: async (caller) => ({
      ...(await options.headers(caller)),
      ...(gapFree ? { "A2A-Extensions": EXT } : {}),
    }),
  });
  // A message that is sent again is known by its id, at agents of ours.
  const sending = { ms: limits.firstEventMs, late: "did not begin to answer", resendable: gapFree };
  const asking = { ms: limits.answerMs, late: "did not answer", resendable: true };

  const messageOf = (request: RemoteRequest): Message =>
    toMessage(request, request.messageId ?? newId(), {
      data: gapFree || takesJson(card),
      images: !gapFree && takesImages(card),
      extensions: gapFree ? [EXT] : [],
    });
  const follower = (call: Call, taskId?: string, onTask?: StreamOptions["onTask"]): TaskFollower => {
    const place = placeOf(call.signal);
    // Who comes back to a task that says nothing just now is only told that it is followed.
    const following = { ...asking, begun: () => place.open };
    return new TaskFollower(
      {
        ...options,
        agent: card.name,
        gapFree,
        place,
        getTask: (id) =>
          call.once(asking, (how) => client.getTask({ id, tenant: "", historyLength: 0 }, how)),
        subscribe: (id, lastEventId) =>
          call.once(following, (how) => {
            putPlace(how.signal, place);
            const back = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
            const serviceParameters = { ...how.serviceParameters, ...back };
            return openStream(client.resubscribeTask({ id, tenant: "" }, { ...how, serviceParameters }));
          }),
        signal: call.signal,
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

  /** What has no stream: one call, which tells its errors in words. */
  const during = async <T>(
    callOptions: CallOptions,
    run: (call: Call) => Promise<T>,
    more?: { readonly urgent: boolean },
  ): Promise<T> => {
    const call = await calls.open(callOptions, more);
    try {
      return await run(call);
    } catch (error) {
      throw toAgentError(error, where, call.signal);
    } finally {
      call.close();
    }
  };

  return {
    async *stream(request, callOptions) {
      const call = await calls.open(callOptions);
      const follows = follower(call, undefined, callOptions.onTask);
      const message = sendRequest(messageOf(request), false);
      try {
        const stream = await call.request(sending, (how) => {
          putPlace(how.signal, placeOf(call.signal));
          return openStream(client.sendMessageStream(message, how));
        });
        try {
          yield* follows.take(stream, { resumed: false });
        } catch (error) {
          if (call.signal.aborted || follows.taskId === "" || !(isAway(error) || isTooLarge(error)))
            throw error;
        }
        if (follows.finished) return;
        if (follows.taskId === "")
          throw new AgentError("agent.protocol", `${where} ended its answer before it began.`);
        yield* follows.resume();
      } catch (error) {
        throw toAgentError(error, where, call.signal);
      } finally {
        if (follows.streaming) call.abandon();
        call.close();
      }
    },
    send(request, callOptions) {
      const message = sendRequest(messageOf(request), true);
      return during(callOptions, async (call) => {
        const result = await call.request(sending, (how) => client.sendMessage(message, how));
        return { taskId: "messageId" in result ? keep(result) : result.id };
      });
    },
    async *join(taskId, callOptions) {
      const call = await calls.open(callOptions);
      const follows = follower(call, taskId);
      try {
        if (!taskId.startsWith(MESSAGE_PREFIX)) {
          yield* follows.resume();
          return;
        }
        const value = messages.get(taskId);
        if (value === undefined)
          throw new AgentError(
            "agent.task-lost",
            `${where} answered without a task, and that answer is gone.`,
            { retryable: true },
          );
        yield* follows.push({ $case: "message", value });
      } catch (error) {
        throw toAgentError(error, where, call.signal);
      } finally {
        if (follows.streaming) call.abandon();
        call.close();
      }
    },
    tasks: (contextId, callOptions) =>
      during(callOptions, (call) => call.request(asking, (how) => listTasks(client, contextId, how))),
    async cancel(taskId, callOptions = {}) {
      if (taskId.startsWith(MESSAGE_PREFIX)) return;
      const canceling = { ...asking, late: "did not answer the cancellation" };
      const cancel = async (call: Call): Promise<void> => {
        try {
          await call.request(canceling, (how) =>
            client.cancelTask({ id: taskId, tenant: "", metadata: undefined }, how),
          );
        } catch (error) {
          // A task that has ended needs no canceling.
          if (protocolError(error)?.name.includes("TaskNotCancelable") !== true) throw error;
        }
      };
      // Nothing it could wait for would end sooner without it.
      await during({ ...callOptions, signal: new AbortController().signal }, cancel, { urgent: true });
    },
  };
}

/** An agent that lists its input modes may refuse any other. */
function takesJson({ defaultInputModes: modes }: AgentCard): boolean {
  return modes.length === 0 || modes.some((mode) => mode === "*/*" || /^application\/(\*|json)$/.test(mode));
}

function takesImages({ defaultInputModes: modes }: AgentCard): boolean {
  return modes.some((mode) => mode === "*/*" || mode.startsWith("image/"));
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
