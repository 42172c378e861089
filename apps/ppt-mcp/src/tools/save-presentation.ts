import { defineTool, InputError, ToolError, type ArtifactStore, type Tool } from "@troupe/core";
import { BREAKING, cleanLine, lintDeck, PPTX_MEDIA_TYPE, writeDeck } from "@troupe/deck";
import { z } from "zod";

import { specOf } from "../state/presentation.ts";
import type { StoreOf } from "../state/presentation-store.ts";
import { presentationId } from "./arguments.ts";
import { describeProblems } from "./describe-problems.ts";
import { layoutOutput, otherThanOne } from "./read-tools.ts";

export function savePresentation(deps: {
  readonly storeOf: StoreOf;
  readonly artifacts: ArtifactStore;
}): Tool {
  return defineTool({
    name: "powerpoint_save_presentation",
    annotations: { title: "Save the presentation", readOnly: false, destructive: false, openWorld: false },
    output: { data: layoutOutput.extend({ file_name: z.string() }) },
    ordered: true,
    description:
      "Writes the presentation as a .pptx file and checks it. Call this last; returns the file and what the layout check found. You may change slides and save again.",
    input: z.strictObject({
      presentation_id: presentationId,
      file_name: z.string().max(300).describe("Such as ai-strategy.pptx; a name, not a path."),
    }),
    idempotent: true,
    async execute({ presentation_id, file_name }, context) {
      const { userId: owner = "", signal, log, progress } = context;
      const store = deps.storeOf(context);
      const presentation = await store.read(presentation_id);
      if (presentation.slides.length === 0) {
        throw new InputError(
          "input.invalid",
          "The presentation has no slides, so there is nothing to save. Add some with powerpoint_add_slide first.",
        );
      }
      const { bytes, layout } = await writeDeck(specOf(presentation), {
        clock: { now: () => presentation.updated },
      });
      progress?.({ message: "Checking the file", done: 1, total: 3 });
      const problems = await lintDeck(bytes);
      if (problems.some(({ rule }) => BREAKING.has(rule))) {
        throw new ToolError(
          "tool.failed",
          `The file would not open, so it was not saved. ${describeProblems(problems)}`,
        );
      }
      signal.throwIfAborted();
      progress?.({ message: "Storing the file", done: 2, total: 3 });
      const name = pptxName(file_name);
      const artifact = await deps.artifacts.put(bytes, { name, mediaType: PPTX_MEDIA_TYPE, owner });
      // The file is there: that a later change will not say it lacks it is no reason to call the saving failed.
      await store
        .markSaved(presentation_id)
        .catch((error: unknown) => log.warn("that a presentation was saved could not be noted", { error }));
      const count = layout.slides.length;
      return {
        text: [
          `Saved "${name}" with ${count} slides.`,
          ...otherThanOne(presentation, layout.slides),
          describeProblems(problems),
        ].join("\n"),
        summary: `Saved "${name}", ${count} slides`,
        artifacts: [artifact],
        data: { file_name: name, slides: count, problems: problems.map((problem) => ({ ...problem })) },
      };
    },
  });
}

/** A plain file name that ends in `.pptx`: no folders, nothing a file system or a header would trip over. */
export function pptxName(wanted: string): string {
  const last = cleanLine(wanted).split(/[/\\]/).at(-1) ?? "";
  const stem = last
    .replace(/\.pptx?$/i, "")
    .replace(/[<>:"|?*%\p{C}]/gu, "")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(0, 100);
  return `${stem === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? "presentation" : stem}.pptx`;
}
