import { clip, readDelegationPrompt, type ModelRequest } from "@troupe/core";
import { finishCall, lastUserText, toolResults, type Playbook } from "@troupe/models";
import type { Clock } from "@troupe/stream";

import { outline } from "./outline.ts";
import { notFollowed } from "./not-followed.ts";
import { readBriefing, type Statement } from "./read-briefing.ts";

/** Create, add every slide, save, finish. It makes a deck of what it was handed and understands none of it. */
export const playbookAt =
  (clock: Pick<Clock, "now">): Playbook =>
  (request) =>
    move(request, clock.now());

function move(request: ModelRequest, now: number): ReturnType<Playbook> {
  const briefing = readBriefing(lastUserText(request));
  const plan = outline(briefing, now);
  const created = toolResults(request, "powerpoint_create_presentation").at(-1);
  const added = toolResults(request, "powerpoint_add_slide");
  const saved = toolResults(request, "powerpoint_save_presentation").at(-1);
  if (briefing.sections.length === 0) return give(nothingToShow(lastUserText(request)));
  const broken = notFollowed(briefing);
  if (broken !== undefined) return give(broken);
  if (created === undefined) {
    return {
      say: [`Making "${plan.title}" with ${plan.slides.length} slides.`, ...plan.remarks].join("\n"),
      calls: [{ name: "powerpoint_create_presentation", arguments: { title: plan.title } }],
    };
  }
  const id = presentationId(created.text);
  if (created.isError || id === undefined)
    return give(`The presentation could not be created: ${created.text}`);
  if (added.length === 0) {
    return {
      calls: plan.slides.map((slide) => ({
        name: "powerpoint_add_slide",
        arguments: { presentation_id: id, slide },
      })),
    };
  }
  if (saved === undefined) {
    return {
      calls: [
        {
          name: "powerpoint_save_presentation",
          arguments: { presentation_id: id, file_name: fileName(plan.title) },
        },
      ],
    };
  }
  if (saved.isError) return give(`The presentation could not be saved: ${saved.text}`);
  const left = added.filter((result) => result.isError).length;
  const unverified = [...saved.text.matchAll(UNVERIFIED)].map(([, statement]) => `- ${statement}`);
  const citing = new Set(
    briefing.sections.flatMap((section) => section.statements.flatMap((one) => one.citations.map(stepOf))),
  );
  const content = [
    `I made the presentation "${plan.title}" (${fileName(plan.title)}).`,
    ...plan.told.map(({ heading, statement }) => summary(heading, statement, citing.size > 1)),
    ...plan.remarks.map((remark) => `${remark}.`),
    ...(left === 0 ? [] : [`${left} of ${added.length} slides could not be made.`]),
    ...(unverified.length === 0 ? [] : ["Not found in the sources:", ...unverified]),
  ].join("\n");
  const complete = left + unverified.length + briefing.unused.length === 0 && plan.followed;
  return { calls: [finishCall({ content, complete })] };
}

/** A statement that powerpoint_save_presentation names, without what a model could do about it. */
const UNVERIFIED = /^- (slide \d+, .+\.) (?:Change it with|Delete slide) /gm;

function give(content: string): ReturnType<Playbook> {
  return { calls: [finishCall({ content, complete: false })] };
}

/** Which steps found nothing for the slides, in their own words, and what to do about it. */
function nothingToShow(prompt: string): string {
  const steps = readDelegationPrompt(prompt).results.map(({ stepId, answer }) => {
    const [line = ""] = answer.trim().split("\n", 1);
    const finding = line.replaceAll(/\s*\[[^\]]*\d\]/g, "").trim();
    return `- **${stepId}**: ${finding === "" ? "no answer" : clip(finding, 300)}`;
  });
  if (steps.length === 0)
    return (
      "No presentation was made: no findings came with this request. " +
      "Ask the orchestrator, which looks up documents and data first and passes on what it finds."
    );
  const head =
    steps.length === 1
      ? "No presentation was made: the step before it found nothing to put on slides."
      : "No presentation was made: the steps before it found nothing to put on slides.";
  const advice =
    "Ask about a subject by the words your documents use, or add documents about it with the `ingest` command.";
  return [head, steps.join("\n"), advice].join("\n\n");
}

function presentationId(text: string): string | undefined {
  return /presentation_id["\s:=`]+([\w-]{8,})/.exec(text)?.[1];
}

function fileName(title: string): string {
  const stem = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${stem.slice(0, 60) || "presentation"}.pptx`;
}

/** A statement under its heading; its sources by step only where two steps cite. */
function summary(heading: string, { text, citations }: Statement, byStep: boolean): string {
  const marks = citations.map((id) => `[${byStep ? id : id.slice(id.indexOf("/") + 1)}]`).join("");
  const lead = heading === "" ? "" : `**${heading}**: `;
  return `- ${lead}${text}${marks === "" ? "" : ` ${marks}`}`;
}

const stepOf = (id: string): string => id.slice(0, id.indexOf("/"));
