// CPU of checking an answer of 600 words with 40 citations against its evidence: 40 passages and 10 results.
import { build, entryOf } from "../lib/built.mjs";
import { cpuPerRun } from "../lib/cpu.mjs";
import { sized } from "../lib/smoke.mjs";

const PASSAGES = 40;
const RESULTS = 10;
const ROWS = 12;
const RUNS = sized(20, 1);

export const unit = "ms";
export const pairs = 31;
export const warmup = 6;

let check;
let first;
const answer = written();
const evidence = found();

export async function prepare() {
  build("checks");
  const { answerCheck } = await import(entryOf("checks"));
  check = () => answerCheck.check(answer, evidence);
  first = (await cpuPerRun(verified, 1)) / 1000;
}

export const ours = async () => (await cpuPerRun(verified, RUNS)) / 1000;

/** What the first check of a process takes: tables of units, months and countries are built then. */
export const figures = () => ({ first_ms: Number(first.toPrecision(3)), words: answer.split(/\s+/).length });

function verified() {
  const checks = check();
  const wrong = checks.filter(({ status }) => status === "finding");
  if (checks.length < PASSAGES || wrong.length > 0)
    throw new Error(`${checks.length} sentences, of which ${JSON.stringify(wrong.slice(0, 3))}`);
}

/** Each sentence restates a passage, and computes a difference. */
function written() {
  return Array.from({ length: PASSAGES }, (_, at) => {
    const { site, before, after, day } = facts(at);
    const end = at % 4 === 3 ? "\n\n" : " ";
    return `On ${day} March 2026 the ${site} plant took in ${after} tonnes, ${after - before} tonnes more than the ${before} tonnes of 2025 [${at + 1}].${end}`;
  }).join("");
}

function found() {
  return {
    citations: Array.from({ length: PASSAGES }, (_, at) => {
      const { site, before, after, day } = facts(at);
      const text = [
        `The ${site} plant took in ${before} tonnes in March 2025 and ${after} tonnes on ${day} March 2026.`,
        `It has ${12 + at} lines, ${3 + (at % 5)} of them new, and runs ${6 + (at % 3)} days a week at ${70 + (at % 20)}.${at % 10} % of what it can do.`,
        `Maintenance cost EUR ${(18.2 + at).toFixed(1)} million, of which ${20 + at} % went to suppliers in Norway and Denmark.`,
        "Operators check the readings every ten minutes and report to the control room in Gothenburg by 07:30.",
      ].join("\n");
      return {
        id: `${at + 1}`,
        document: "Plant report 2026",
        source: "",
        collection: "",
        chunkId: "",
        quote: text,
        passage: text,
        start: 0,
        end: text.length,
      };
    }),
    tables: Array.from({ length: RESULTS }, (_, at) => ({
      id: `result-${at}`,
      title: `Intake by line, 2026, part ${at + 1}`,
      columns: ["line", "tonnes", "share_pct", "cost_eur"],
      rows: Array.from({ length: ROWS }, (__, row) => [
        `Line ${at}-${row}`,
        400 + row * 13 + at,
        (row * 7.3) / 10,
        12_000 + row * 311,
      ]),
    })),
    given: ["Compare the intake of our plants in March. Today is 22 November 2026."],
  };
}

function facts(at) {
  const site = ["Lindholm", "Askvoll", "Brenna", "Tyholt", "Eidsvik"][at % 5];
  return { site, before: 1200 + at * 37, after: 1300 + at * 41, day: 1 + (at % 28) };
}
