import { listOf, recordOf, stringOf, type JsonRecord } from "../wire/json.ts";
import type { SeenArtifact } from "../capture/read-event.ts";
import { ARTIFACT_NAMES, EXT } from "../wire/extension.ts";

/** What a text is, as far as the agent says so; `text` where it does not. Wording decides nothing. */
export type TextRole = "answer" | "narration" | "text";

/** What an artifact is for, by its name and what stands in it. */
export type ArtifactKind = "text" | "result" | "step-result" | "tool" | "plan" | "form" | "data";

const KINDS: ReadonlyMap<string, ArtifactKind> = new Map([
  [ARTIFACT_NAMES.final, "result"],
  [ARTIFACT_NAMES.partial, "result"],
  [ARTIFACT_NAMES.complete, "step-result"],
  [ARTIFACT_NAMES.toolStart, "tool"],
  [ARTIFACT_NAMES.toolEnd, "tool"],
  [ARTIFACT_NAMES.plan, "plan"],
  [ARTIFACT_NAMES.planStatus, "plan"],
  [ARTIFACT_NAMES.form, "form"],
]);

/** @param known what the artifact was so far; one that carried text stays text */
export function kindOf(artifact: SeenArtifact, known?: ArtifactKind): ArtifactKind {
  const named = KINDS.get(artifact.name);
  if (named !== undefined) return named;
  if (known !== undefined && known !== "data") return known;
  return artifact.text === "" && artifact.parts > 0 && !saysText(artifact) ? "data" : "text";
}

/** A text item of our own extension, with the role that is known of it by now. */
export interface OwnText {
  /** As `answerItems` of a finish may name it. */
  readonly names: readonly string[];
  readonly step: string;
  readonly role: TextRole;
}

/** What our extension says of an artifact's text; undefined for one of another agent. */
export function ownText(metadata: JsonRecord): OwnText | undefined {
  const record = recordOf(metadata[EXT]);
  if (record?.["kind"] !== "text") return undefined;
  const step = stringOf(record["stepId"]);
  const itemId = stringOf(record["itemId"]);
  const settled = recordOf(record["role"])?.["as"];
  const role =
    settled === "answer" || settled === "narration"
      ? settled
      : record["born"] === "answer"
        ? "answer"
        : "text";
  const attempt = typeof record["attempt"] === "number" ? record["attempt"] : 1;
  return { names: step === "" ? [itemId] : [`${step}/${attempt}/${itemId}`], step, role };
}

/** The typed events under our extension's key, oldest first. */
export function ownEvents(metadata: JsonRecord): readonly JsonRecord[] {
  return listOf(recordOf(metadata[EXT])?.["events"]).flatMap((entry) => {
    const event = recordOf(recordOf(entry)?.["event"]);
    return event === undefined ? [] : [event];
  });
}

export function isOwn(metadata: JsonRecord): boolean {
  return metadata[EXT] !== undefined;
}

/** The flags of agents that have them; one with both means the answer. */
export function flaggedRole(metadata: JsonRecord): TextRole {
  if (metadata["is_final_answer"] === true) return "answer";
  return metadata["is_narration"] === true ? "narration" : "text";
}

export function stepOf(metadata: JsonRecord): string {
  return stringOf(metadata["plan_step_id"]);
}

function saysText(artifact: SeenArtifact): boolean {
  return ownText(artifact.metadata) !== undefined || flaggedRole(artifact.metadata) !== "text";
}
