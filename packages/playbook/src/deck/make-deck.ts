import type { ModelRequest } from "@troupe/core";

import { finishCall, finishIncomplete } from "../policy/finish-call.ts";
import type { PlaybookMove } from "../policy/playbook.ts";
import { lastUserText, toolResults } from "../policy/read-request.ts";
import { answerTakesModel, capitalized } from "../words.ts";
import { readResults, type Results } from "./read-results.ts";
import { writeSlides } from "./write-slides.ts";

/** Creates a presentation of the results in the request, adds its slides and saves it. It writes no text of its own. */
export function makeDeck(request: ModelRequest, now: number): PlaybookMove {
  const results = readResults(lastUserText(request));
  if (results.sections.length === 0) return finishIncomplete(nothingToShow(results));
  const title = titleOf(results);
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(now);
  const slides = writeSlides(title, date, results.sections);
  const created = toolResults(request, "powerpoint_create_presentation").at(-1);
  if (created === undefined) {
    return {
      say: `Making "${title}" with ${slides.length} slides.`,
      calls: [{ name: "powerpoint_create_presentation", arguments: { title } }],
    };
  }
  const id = /presentation_id["\s:=`]+([\w-]{8,})/.exec(created.text)?.[1];
  if (created.isError || id === undefined)
    return finishIncomplete(`The presentation could not be created: ${created.text}`);
  const added = toolResults(request, "powerpoint_add_slide");
  if (added.length === 0)
    return {
      calls: slides.map((slide) => ({
        name: "powerpoint_add_slide",
        arguments: { presentation_id: id, slide },
      })),
    };
  const saved = toolResults(request, "powerpoint_save_presentation").at(-1);
  const file_name = fileName(title);
  if (saved === undefined)
    return {
      calls: [{ name: "powerpoint_save_presentation", arguments: { presentation_id: id, file_name } }],
    };
  if (saved.isError) return finishIncomplete(`The presentation could not be saved: ${saved.text}`);
  const failed = added.filter(({ isError }) => isError);
  const unverified = [...saved.text.matchAll(UNVERIFIED)].map(([, statement]) => `- ${statement}`);
  const notFollowed = wishesOf(results).map((wish) => `Not used: ${wish}.`);
  const content = [
    `I made the presentation "${title}" (${file_name}).`,
    ...notFollowed,
    ...results.unused,
    ...results.empty.map(({ step, says }) => `Step ${step} gave nothing to show: ${says}`),
    ...(failed.length === 0
      ? []
      : [
          `${failed.length} of ${added.length} slides could not be made: ${failed[0]?.text.split("\n", 1)[0] ?? ""}`,
        ]),
    ...(unverified.length === 0 ? [] : ["Not found in the sources:", ...unverified]),
    ...(notFollowed.length === 0 ? [] : [`\n${answerTakesModel("To follow that")}`]),
  ].join("\n");
  const lost =
    failed.length + unverified.length + notFollowed.length + results.unused.length + results.empty.length;
  return { calls: [finishCall({ content, complete: lost === 0 })] };
}

/** A statement that powerpoint_save_presentation lists, without the advice to a model. */
const UNVERIFIED = /^- (slide \d+, .+\.) (?:Change it with|Delete slide) /gm;
const TITLED = /\btitled "([^"]+)"/;
const ABOUT = /(?<!\p{L})(?:about|on|über|zu|sur)\s+([^.?!]+)/iu;
/** Wishes about a deck that take understanding to follow. */
const WISH =
  /\b(?:(?:in |with |of )?(?:at most |exactly |no more than |up to )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) slides?|for (?:the |our )?(?:board|management|executives?|investors?|customers?|team|students?)|in (?:german|french|english|spanish|italian|swedish)|short(?:er)?|brief|detailed)\b|(?<!\p{L})(?:auf|in) (?:deutsch|englisch|französisch)(?!\p{L})|(?<!\p{L})\d+ (?:folien|diapositives)(?!\p{L})|(?<!\p{L})en (?:allemand|anglais|français)(?!\p{L})/giu;

/** What the task and the answers of people ask for beyond the contents of the deck. */
function wishesOf({ objective, instruction, answers }: Results): readonly string[] {
  const asked = `${objective}\n${instruction.replace(TITLED, "")}`;
  return [...new Set([...[...asked.matchAll(WISH)].map(([wish]) => wish.trim()), ...answers])];
}

function titleOf({ objective, instruction }: Results): string {
  const title =
    TITLED.exec(instruction)?.[1] ?? ABOUT.exec(instruction)?.[1] ?? ABOUT.exec(objective)?.[1] ?? "Findings";
  return capitalized(title.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE));
}

const MAX_TITLE = 120;

/** Why there is no presentation: the answer of each earlier step, or that a model is needed. */
function nothingToShow({ empty }: Results): string {
  if (empty.length === 0)
    return `No presentation was made: no results came with this request. ${answerTakesModel("A presentation of anything else")}`;
  const lines = empty.map(({ step, says }) => `- **${step}**: ${says === "" ? "no answer" : says}`);
  return [
    "No presentation was made: the steps before it found nothing to put on slides.",
    lines.join("\n"),
  ].join("\n\n");
}

function fileName(title: string): string {
  const stem = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${stem.slice(0, 60) || "presentation"}.pptx`;
}
