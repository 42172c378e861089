import type { ModelRequest } from "@troupe/core";
import { systemClock } from "@troupe/core";
import type { Clock } from "@troupe/stream";

import { queryTables } from "./data/query-tables.ts";
import { makeDeck } from "./deck/make-deck.ts";
import { quoteDocuments } from "./documents/quote-documents.ts";
import { joinFindings, readFindings } from "./planner/join-findings.ts";
import { planTask } from "./planner/plan-task.ts";
import { finishIncomplete } from "./policy/finish-call.ts";
import type { Playbook } from "./policy/playbook.ts";
import { answerTakesModel } from "./words.ts";

export interface HousePlaybookOptions {
  /** Gives the date on the title slide of a deck. */
  readonly clock?: Pick<Clock, "now">;
}

/** Name of the response format that a planner asks for. */
const PLAN_FORMAT = "workflow";

/** The rules for a request of the built-in planner and agents, chosen by its response format, tools and messages. */
export function housePlaybook({ clock = systemClock }: HousePlaybookOptions = {}): Playbook {
  return (request) => {
    if (request.responseFormat?.name === PLAN_FORMAT) return planTask(request);
    if (offers(request, "rag_search")) return quoteDocuments(request);
    if (offers(request, "query_db")) return queryTables(request);
    if (offers(request, "powerpoint_add_slide")) return makeDeck(request, clock.now());
    const findings = readFindings(request);
    if (findings !== undefined) return joinFindings(findings);
    return finishIncomplete(answerTakesModel("This request"));
  };
}

function offers({ tools }: ModelRequest, name: string): boolean {
  return tools.some((tool) => tool.name === name);
}
