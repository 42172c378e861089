import { ModelError, type ModelEvent } from "@troupe/core";
import { z } from "zod";

const call = z.object({
  name: z.string().nullable(),
  id: z.string().nullish(),
  args: z.record(z.string(), z.json()).nullish(),
});
const chunk = z.object({ name: z.string().nullish(), id: z.string().nullish(), args: z.string().nullish() });

/** What a model's stream and the tools behind it bring, in the order in which it comes. */
export const streamInputSchema = z.array(
  z.object({
    text: z.string().nullish(),
    tool_calls: z.array(call).nullish(),
    tool_call_chunks: z.array(chunk).nullish(),
    tool_result: z.object({ name: z.string().nullish(), id: z.string(), content: z.string() }).nullish(),
    raise: z.string().nullish(),
  }),
);
export type StreamInput = z.output<typeof streamInputSchema>;

/** One call of the model: its events, then the error it breaks with where it does. */
export interface Round {
  readonly events: ModelEvent[];
  error?: Error;
}

export interface Script {
  readonly rounds: readonly Round[];
  /** What the tools hand back, in the order in which they do. */
  readonly results: readonly { readonly id: string; readonly content: string }[];
  /** Names of the tools that are called. */
  readonly tools: ReadonlySet<string>;
}

/**
 * The rounds a model would have to stream for this input: a tool's result, or an error, ends one.
 * A call that `isAnswer` knows is the one that carries the answer, and is renamed to `finish`.
 */
export function scriptOf(input: StreamInput, isAnswer: (tool: string) => boolean): Script {
  const rounds: Round[] = [{ events: [] }];
  const results: { id: string; content: string }[] = [];
  const tools = new Set<string>();
  const calls = createCallWriter(isAnswer, tools, (event) => rounds.at(-1)?.events.push(event));
  let closed = false;
  for (const item of input) {
    if (item.tool_result) {
      results.push(item.tool_result);
      // Of a round without any call it is no result: the model goes on writing.
      closed ||= rounds.at(-1)?.events.some(({ type }) => type === "tool-call-start") === true;
      continue;
    }
    if (closed) rounds.push({ events: [] });
    closed = false;
    const round = rounds.at(-1) as Round;
    if (item.raise) {
      round.error = new ModelError("model.stream-broken", item.raise, { retryable: true });
      closed = true;
      continue;
    }
    if (item.text) round.events.push({ type: "text-delta", text: item.text });
    for (const piece of item.tool_call_chunks ?? []) calls.piece(piece);
    for (const whole of item.tool_calls ?? []) calls.whole(whole);
  }
  return { rounds, results, tools };
}

interface OpenCall {
  readonly callId: string;
  readonly name: string;
  text: string;
}

/** Writes calls that come in pieces: a piece without a name goes on with the last call that is not whole. */
function createCallWriter(
  isAnswer: (tool: string) => boolean,
  tools: Set<string>,
  push: (event: ModelEvent) => void,
) {
  const open: OpenCall[] = [];
  const start = (name: string, id: string | null | undefined): OpenCall => {
    const started = { callId: id || `piece-${open.length + 1}`, name, text: "" };
    open.push(started);
    if (!isAnswer(name)) tools.add(name);
    push({ type: "tool-call-start", callId: started.callId, name: isAnswer(name) ? "finish" : name });
    return started;
  };
  const write = (to: OpenCall, delta: string): void => {
    to.text += delta;
    if (delta !== "") push({ type: "tool-call-delta", callId: to.callId, delta });
  };
  return {
    piece({ name, id, args }: z.output<typeof chunk>): void {
      const known = id ? open.find((one) => one.callId === id) : undefined;
      const going = known ?? (name ? undefined : (open.findLast((one) => !isWhole(one.text)) ?? open.at(-1)));
      const to = going ?? (name ? start(name, id) : undefined);
      if (to !== undefined) write(to, args ?? "");
    },
    /** A call without a name has only begun. One whose pieces came before is completed, not called again. */
    whole({ name, id, args }: z.output<typeof call>): void {
      if (!name) return;
      const begun = open.findLast((one) => one.name === name && isAnswer(name));
      const text = JSON.stringify(args ?? {});
      if (begun === undefined) write(start(name, id), text);
      else write(begun, restOf(begun.text, args ?? {}));
    },
  };
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is missing of an object that was written as far as into its content. */
function restOf(written: string, args: { readonly [key: string]: unknown }): string {
  if (isWhole(written)) return "";
  const { content = "", ...others } = args;
  const quoted = JSON.stringify(content);
  const at = /"content"\s*:\s*/.exec(written);
  const said = at === null ? "" : written.slice(at.index + at[0].length);
  const rest = at !== null && quoted.startsWith(said) ? quoted.slice(said.length) : '"';
  const fields = Object.entries(others).map(
    ([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `${rest}${fields.join("")}}`;
}
