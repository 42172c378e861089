import { OVER_HTTP, requirement, type Requirement } from "../requirement.ts";

const applies = "streaming" as const;

/** Streams: 3.1.2, 3.1.6, 3.5.2. */
export const STREAMING: readonly Requirement[] = [
  requirement(
    "stream.opens",
    "3.1.2",
    "MUST",
    "SendStreamingMessage opens an event stream: 200 with text/event-stream.",
    { applies, ...OVER_HTTP },
  ),
  requirement(
    "stream.pattern",
    "3.1.2",
    "MUST",
    "A stream is one message and nothing else, or a task followed by updates of its status and artifacts.",
    { applies },
  ),
  requirement(
    "stream.closes",
    "3.1.2",
    "MUST",
    "The stream ends when its task has ended, and says nothing new after that.",
    { applies },
  ),
  requirement(
    "stream.prompt",
    "3.1.2",
    "MUST",
    "The first event comes while the task is being worked on, not when it is done.",
    { applies },
  ),
  requirement(
    "stream.frames",
    "9.4.2",
    "DEFINED",
    "Each event carries one StreamResponse with one payload, as the binding wraps it.",
    { applies },
  ),
  requirement(
    "stream.belongs",
    "4.2",
    "DEFINED",
    "Each update names the task and the context that the stream began with.",
    { applies },
  ),
  requirement(
    "stream.in-order",
    "3.5.2",
    "MUST",
    "Events come in the order in which they arose: put together they are the task that GetTask answers.",
    { applies },
  ),
  requirement(
    "stream.appends",
    "4.2.2",
    "DEFINED",
    "An update appends only to an artifact that was sent before, and to none after its last chunk.",
    { applies },
  ),
  requirement(
    "stream.broadcast",
    "3.5.2",
    "MUST",
    "All streams of a task receive its events, the same ones in the same order.",
    { applies },
  ),
  requirement(
    "stream.independent",
    "3.5.2",
    "MUST",
    "Closing one stream of a task does nothing to its other streams, nor to the task.",
    { applies },
  ),
  requirement(
    "stream.unknown-task",
    "3.4.2",
    "MUST",
    "A message to a task that does not exist is refused with TaskNotFoundError on the streaming operation too.",
    { applies },
  ),
  requirement(
    "subscribe.begins-with-task",
    "3.1.6",
    "MUST",
    "A subscription begins with the task as it stands.",
    { applies },
  ),
  requirement("subscribe.ends", "3.1.6", "MUST", "A subscription ends when its task has ended.", { applies }),
  requirement(
    "subscribe.terminal-task",
    "3.1.6",
    "DEFINED",
    "Subscribing to a task that has ended is refused with UnsupportedOperationError.",
    { applies },
  ),
  requirement(
    "subscribe.unknown-task",
    "3.1.6",
    "DEFINED",
    "Subscribing to a task that does not exist is refused with TaskNotFoundError.",
    { applies },
  ),
  requirement(
    "subscribe.both-methods",
    "5.3",
    "DEFINED",
    "A task is subscribed to by POST, as the method table has it, and by GET, as the service definition has it.",
    { applies, over: ["HTTP+JSON"] },
  ),
];
