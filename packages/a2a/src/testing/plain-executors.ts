import { Role, TaskState, type Message } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type RequestContext } from "@a2a-js/sdk/server";

import { artifactOf, textOf, textPart, type Metadata } from "../wire/parts.ts";

/** Answers by one message and opens no task. */
export function messageExecutor(answer: (text: string) => string): AgentExecutor {
  return {
    execute(context, bus) {
      bus.publish(AgentEvent.message(say(context, answer(textOf(context.userMessage.parts)))));
      bus.finished();
      return Promise.resolve();
    },
    cancelTask: () => Promise.resolve(),
  };
}

export interface PlainChunk {
  readonly artifactId: string;
  readonly text: string;
  readonly name?: string;
  readonly append?: boolean;
  readonly metadata?: Metadata;
}

/** Streams artifacts as another framework would, then ends in a state. `gate` holds it up before the end. */
export function artifactExecutor(
  chunks: readonly PlainChunk[],
  end: { readonly state?: TaskState; readonly say?: string; readonly gate?: Promise<void> } = {},
): AgentExecutor {
  const { state = TaskState.TASK_STATE_COMPLETED, gate } = end;
  return {
    async execute(context, bus) {
      const ids = { taskId: context.taskId, contextId: context.contextId };
      const status = (to: TaskState, text?: string) => ({
        state: to,
        message: text === undefined ? undefined : say(context, text),
        timestamp: undefined,
      });
      bus.publish(
        AgentEvent.task({
          id: context.taskId,
          contextId: context.contextId,
          status: status(TaskState.TASK_STATE_WORKING),
          artifacts: [],
          history: [context.userMessage],
          metadata: undefined,
        }),
      );
      for (const { artifactId, text, name = "answer", append = false, metadata } of chunks)
        bus.publish(
          AgentEvent.artifactUpdate({
            ...ids,
            artifact: artifactOf(artifactId, name, [textPart(text)], metadata),
            append,
            lastChunk: false,
            metadata: undefined,
          }),
        );
      await gate;
      bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(state, end.say), metadata: undefined }));
    },
    cancelTask: () => Promise.resolve(),
  };
}

function say(context: RequestContext, text: string): Message {
  return {
    messageId: `${context.taskId}-said`,
    contextId: context.contextId,
    taskId: "",
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
