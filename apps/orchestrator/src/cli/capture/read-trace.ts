import { readFile } from "node:fs/promises";

import { createTracer, readCaptureLine, type ComparedTrace } from "@troupe/a2a/capture";
import { z } from "zod";

import { linesOf } from "../../adapters/capture-file.ts";
import { readCapture } from "./read-capture.ts";

const ms = z.number().nullable();
const saved: z.ZodType<ComparedTrace> = z.object({
  v: z.literal(1),
  kind: z.literal("a2a-trace"),
  firstEvent: ms,
  firstText: ms,
  firstNarration: ms,
  firstAnswer: ms,
  firstTool: z.object({ t: z.number(), name: z.string() }).nullable(),
  end: ms,
  events: z.number(),
  tools: z.number(),
  bytes: z.number(),
  outcome: z.enum([
    "completed",
    "partial",
    "failed",
    "canceled",
    "rejected",
    "input-required",
    "auth-required",
    "unfinished",
  ]),
  longestSilence: z.object({ ms: z.number() }).nullable(),
  answer: z.object({ text: z.string(), characters: z.number(), gradual: z.number() }),
  artifacts: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      parts: z.object({ text: z.number(), data: z.number(), file: z.number() }).exactOptional(),
      finalAnswer: z.boolean().exactOptional(),
      narration: z.boolean().exactOptional(),
    }),
  ),
  violations: z.array(z.object({ rule: z.string() })),
});

/** A capture file traced, or what `trace --json` printed. Throws an `InputError` for anything else. */
export async function readTrace(
  path: string,
  name: string,
): Promise<{ readonly trace: ComparedTrace; readonly problems: readonly string[] }> {
  if (readCaptureLine(await firstLineOf(path)) === undefined) {
    const trace = saved.safeParse(parse(await readFile(path, "utf8")));
    if (trace.success) return { trace: trace.data, problems: [] };
  }
  const tracer = createTracer();
  const { problems } = await readCapture(path, name, tracer.push);
  return { trace: tracer.trace(), problems };
}

async function firstLineOf(path: string): Promise<string> {
  for await (const line of linesOf(path)) return line;
  return "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
