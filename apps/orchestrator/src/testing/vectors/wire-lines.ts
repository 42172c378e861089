import { taskStateToJSON, type Part } from "@a2a-js/sdk";
import type { captureWire } from "@troupe/a2a/testing";

type WireEvent = Awaited<ReturnType<typeof captureWire>>[number];
type Line = Readonly<Record<string, unknown>>;

const SETTLED: ReadonlySet<string> = new Set([
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
]);
const FLAGS = ["is_final_answer", "is_narration"] as const;

/** A2A events in short: artifact ids are renamed A1, A2 by first use, flags that are false are left out. */
export function wireLines(events: readonly WireEvent[]): readonly Line[] {
  const ids = new Map<string, string>();
  return events.flatMap((event): readonly Line[] => {
    switch (event.$case) {
      case "task":
        return [{ task: stateName(event.value.status?.state) }];
      case "statusUpdate": {
        const status = stateName(event.value.status?.state);
        const text = textOf(event.value.status?.message?.parts ?? []);
        // What only carries typed events says nothing to other clients.
        if (status === "working" && text === "") return [];
        return [{ status, final: SETTLED.has(status), ...(text === "" ? {} : { text }) }];
      }
      case "artifactUpdate": {
        const { artifact, append, lastChunk } = event.value;
        if (artifact === undefined) return [];
        const { artifactId, name, parts, metadata } = artifact;
        if (!ids.has(artifactId)) ids.set(artifactId, `A${ids.size + 1}`);
        const flags = FLAGS.filter((flag) => metadata?.[flag] === true).map((flag) => [flag, true] as const);
        return [
          {
            artifact: name,
            id: ids.get(artifactId),
            append,
            parts: parts.map(partOf),
            ...(lastChunk ? { lastChunk } : {}),
            ...(flags.length === 0 ? {} : { metadata: Object.fromEntries(flags) }),
          },
        ];
      }
      case "message":
        return [{ message: textOf(event.value.parts) }];
      default:
        return [];
    }
  });
}

function stateName(state: Parameters<typeof taskStateToJSON>[0] | undefined): string {
  if (state === undefined) return "unknown";
  return taskStateToJSON(state).replace("TASK_STATE_", "").toLowerCase().replace("_", "-");
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

function partOf({ content }: Part): unknown {
  return content?.$case === "data" ? { data: content.value as unknown } : (content?.value ?? null);
}
