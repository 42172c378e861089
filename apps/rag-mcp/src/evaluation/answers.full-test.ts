import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { silentLog, type Tool } from "@troupe/core";
import { readRequest } from "@troupe/core/request";
import { openIndex, type RetrievalIndex } from "@troupe/retrieval";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { summarize } from "../tools/summarize.ts";
import { HELD_OUT } from "./held-out.ts";
import { HOUSE } from "./house.ts";
import { HELD_OUT_OVERVIEWS, OVERVIEWS } from "./overviews.ts";
import { CASES, type Case } from "./questions.ts";
import { KNOWN, REQUESTS, type Request } from "./requests.ts";
import { SUBJECTS } from "./subjects.ts";
import { TRAVEL } from "./travel.ts";

/** Share of the questions that must be answered as they should. Raise it when it rises. */
const LEAST = 0.95;
/** Questions of the held-out set that may be answered with something else; an honest "not said" is no such one. */
const MOST_WRONG = 3;
/** Of what the overviews should tell, as many as the README says. */
const LEAST_TOLD = 53;
const LEAST_TOLD_HELD_OUT = 10;
/** The same of the requests, and those that may be answered with an honest "not said" though the documents say it. */
const MOST_WRONG_REQUESTS = 1;
const MOST_HONEST_NO = 2;

let folder: string;
let index: RetrievalIndex;
let tool: Tool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "answers-"));
  index = await openIndex({ path: join(folder, "index.db") });
  await index.ingest([fileURLToPath(new URL("../../../../examples/norrvik/documents", import.meta.url))], {
    collection: "norrvik",
  });
  for (const [collection, files] of Object.entries({ travel: TRAVEL, house: HOUSE })) {
    const place = join(folder, collection);
    mkdirSync(place);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    await index.ingest([place], { collection });
  }
  tool = summarize(() => Promise.resolve(index));
}, 60_000);

afterAll(async () => {
  await index.close();
  rmSync(folder, { recursive: true });
});

async function ask(args: object, collection: string): Promise<string> {
  const { text } = await tool.execute(
    { max_sentences: 4, chapters: false, ...args },
    {
      runId: "run",
      callId: "call",
      agent: "test",
      signal: new AbortController().signal,
      log: silentLog,
      shared: { v: 1, results: {} },
      collectionId: collection,
    },
  );
  return text;
}

/** As the agent asks the tool: by the reading of the request. */
async function askAs({ request }: Request): Promise<string> {
  const read = readRequest(request);
  if (read.kind === "subject") {
    const told = await ask({ subject: read.subject, chapters: true }, "norrvik");
    return told.startsWith("No document") ? ask({ subject: read.subject }, "norrvik") : told;
  }
  if (read.kind === "comparison") {
    const [subject, other] = read.things;
    return ask({ subject, compare_with: other, aspect: read.aspect, max_sentences: 5 }, "norrvik");
  }
  const questions = read.kind === "questions" ? read.questions : [];
  const answers = await Promise.all(
    questions.map((subject) => ask({ subject, max_sentences: 5 }, "norrvik")),
  );
  return answers.join("\n\n");
}

const faultIn = (text: string, { says = [], absent, never }: Request): boolean =>
  says.some((said) => !text.includes(said)) ||
  (absent === true && text.includes("\n- ")) ||
  (absent === true && !saysNothing(text)) ||
  (never !== undefined && text.includes(never));

const saysNothing = (text: string): boolean => text.startsWith("No sentence found");

/** What is wrong with an answer, in words; empty when nothing is. */
function faultOf(
  { says, notes, absent, never }: Omit<Case, "collection" | "question">,
  text: string,
): string {
  const saidNothing = saysNothing(text);
  if (absent === true && !saidNothing) return "the documents do not say this";
  if (absent === undefined && saidNothing && never === undefined) return "it is in the documents";
  const said = text.split("\n").filter((line) => line.startsWith("- "));
  const noted = text.split("\n").filter((line) => line.startsWith("Note: "));
  if (says !== undefined && !said.some((line) => line.includes(says))) return `"${says}" is missing`;
  if (notes !== undefined && !noted.some((line) => line.includes(notes)))
    return `the note on "${notes}" is missing`;
  const shown = saidNothing ? text.split("\n").slice(1) : said;
  return never !== undefined && shown.join("\n").includes(never) ? `"${never}" may not be said` : "";
}

describe("answers by quoting", () => {
  it(
    "answers questions on the example documents, and knows what they do not say",
    { timeout: 60_000 },
    async () => {
      const faults: string[] = [];
      for (const one of CASES) {
        const text = await ask({ subject: one.question }, one.collection);
        const fault = faultOf(one, text);
        if (fault !== "") faults.push(`${one.question} -> ${fault}\n${text}`);
      }
      if (faults.length > 0) process.stderr.write(`Missed:\n${faults.join("\n\n")}\n`);
      const share = 1 - faults.length / CASES.length;
      expect(share, `\n${faults.join("\n\n")}`).toBeGreaterThanOrEqual(LEAST);
    },
  );

  it(
    "rather says nothing than something else to questions no threshold was chosen by",
    { timeout: 60_000 },
    async () => {
      const missed: Record<"honest no" | "wrong", string[]> = { "honest no": [], wrong: [] };
      for (const one of HELD_OUT) {
        const text = await ask({ subject: one.question }, "norrvik");
        const fault = faultOf(one, text);
        const list = saysNothing(text) ? missed["honest no"] : missed.wrong;
        if (fault !== "") list.push(`${one.kind}: ${one.question} -> ${fault}\n${text}`);
      }
      const { "honest no": no, wrong } = missed;
      const right = HELD_OUT.length - no.length - wrong.length;
      process.stderr.write(
        `Held out: ${right} right, ${no.length} honest no, ${wrong.length} wrong of ${HELD_OUT.length}\n` +
          [...no, ...wrong].map((miss) => `${miss}\n\n`).join(""),
      );
      expect(wrong.length).toBeLessThanOrEqual(MOST_WRONG);
    },
  );

  it("answers requests that need a rule", { timeout: 60_000 }, async () => {
    const faults: string[] = [];
    for (const one of KNOWN) {
      const text = await askAs(one);
      if (faultIn(text, one)) faults.push(`${one.request}\n${text}`);
    }
    expect(faults).toEqual([]);
  });

  it("answers requests as various people type them", { timeout: 60_000 }, async () => {
    const missed: Record<"no" | "wrong", string[]> = { no: [], wrong: [] };
    for (const one of REQUESTS) {
      const text = await askAs(one);
      if (faultIn(text, one)) missed[saysNothing(text) ? "no" : "wrong"].push(`${one.request}\n${text}\n\n`);
    }
    const { no, wrong } = missed;
    process.stderr.write(
      `Requests: ${REQUESTS.length - no.length - wrong.length} right, ${no.length} honest no, ${wrong.length} wrong\n${[...no, ...wrong].join("")}`,
    );
    expect(wrong.length).toBeLessThanOrEqual(MOST_WRONG_REQUESTS);
    expect(no.length).toBeLessThanOrEqual(MOST_HONEST_NO);
  });

  it.each([
    ["Overviews", OVERVIEWS, LEAST_TOLD],
    ["Held-out overviews", HELD_OUT_OVERVIEWS, LEAST_TOLD_HELD_OUT],
  ])(
    "tells under each heading what it is there to say: %s",
    { timeout: 60_000 },
    async (name, set, least) => {
      const missed: string[] = [];
      for (const { subject, aspect, tells } of set) {
        const wide =
          aspect === undefined ? { chapters: true, max_sentences: 3 } : { aspect, max_sentences: 6 };
        const text = await ask({ subject, ...wide }, "norrvik");
        for (const [heading, words] of tells) {
          const part = `\n\n${text}`.split("\n\n## ").find((one) => one.startsWith(heading)) ?? "";
          if (!part.includes(words)) missed.push(`${subject} ${aspect ?? ""}${heading}: "${words}"\n${part}`);
        }
      }
      const all = set.flatMap(({ tells }) => tells).length;
      process.stderr.write(`${name}: ${all - missed.length} of ${all} told\n${missed.join("\n\n")}\n`);
      expect(all - missed.length).toBeGreaterThanOrEqual(least);
    },
  );

  it.each(SUBJECTS)("tells $subject in an order for a newcomer", async ({ collection, subject, ...told }) => {
    const text = await ask({ subject, chapters: true, max_sentences: 3 }, collection);
    const places = told.order.map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(told.never.filter((words) => text.includes(words))).toEqual([]);
    expect(text.match(/^## /gm)?.length).toBeLessThanOrEqual(8);
  });

  it("tells a subject by the chapters of the documents about it, and nothing else", async () => {
    const text = await ask({ subject: "our travel policy", chapters: true, max_sentences: 3 }, "travel");
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      "Booking",
      "Hotels",
      "Meals and allowances",
      "Expenses",
      "Safety",
    ]);
    expect(text).toContain("| Norway | NOK 620 | NOK 1,900 |");
    expect(text).not.toContain("canteen");
    expect(text).not.toContain("NOK 1,500 in Norway");
  });

  it("says when a passage is withheld for prompt injection, and does not repeat it", async () => {
    const subject = "Has Norrvik promised all customers a discount of 40 percent?";
    const text = await ask({ subject }, "norrvik");
    expect(text).toMatch(/^Note: 1 passage withheld for marks of prompt injection: \[\w+\]\.$/m);
    expect(text.replace(subject, "")).not.toContain("40 percent");
  });

  it("has nothing to tell of a subject that no document is about", async () => {
    expect(await ask({ subject: "quantum computing", chapters: true }, "norrvik")).toMatch(
      /^No document or chapter/,
    );
    expect(await ask({ subject: "our travel policy", aspect: "goals targets" }, "travel")).toMatch(
      /^No document/,
    );
  });
});
