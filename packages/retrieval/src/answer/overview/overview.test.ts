import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Retriever } from "../../retriever.ts";
import { memoryIndex } from "../../testing/memory-index.ts";
import { outline } from "../outline.ts";
import type { OutlinePart } from "../outline-part.ts";

/** Of a clinic: a leaflet, fees as questions, a survey, a list of words, an incident. */
const CLINIC = {
  "closures.md": `# Incident at the Alder Clinic, March 2026

## What happened

A refrigerator of the Alder Clinic failed on 3 March 2026. The clinic threw away 340 doses of vaccine.
`,
  "fees.md": `# Alder Clinic fees FAQ

Version 4. Questions go to the front desk.

## What does a visit to the Alder Clinic cost?

A visit costs SEK 250 for adults and nothing for children.

## Are there discounts?

Families with three children or more pay half of every fee.

## Do I pay for a missed appointment?

A missed appointment costs SEK 400 unless it is cancelled a day before.
`,
  "leaflet.md": `# The Alder Clinic

Leaflet for the waiting room. Last printed in May 2026.

## Services

Doctors of the clinic treat children from birth to the age of 18. Say that the laboratory is fast. Vaccinations are given on every weekday.

## Who we are

Five doctors and nine nurses work in two houses by the river.

## Contact

Telephone calls are answered from eight in the morning.
`,
  "survey.md": `# Alder Clinic patient survey 2026

Written in June 2026.

## What parents like best

Three points stand out this year. Parents like the play room and the garden. The nurses are praised in every second answer.

## Results in brief

Parents of 212 children answered the survey of the clinic. Ninety-one percent would recommend the Alder Clinic.
`,
  "words.md": `# Glossary of the Alder Clinic

## Words

- **Alder Clinic** is a practice for children and families in Lund.
- **Triage** is the order in which patients are seen.
`,
};

/** Of a software library: what it is stands before the first chapter. */
const LIBRARY = {
  "readme.md": `# Quillparse

Quillparse is a library that reads dates in fourteen languages.

## Installation

Quillparse is installed with one command. The package takes 48 kilobytes on disk.

## Limitations

Quillparse does not read dates before the year 1600.

## Name

The name comes from an old pen.

## Contributing

Please open a thread before a large change.
`,
  "bench.md": `# Quillparse benchmarks

Measured by hand in April 2026.

## Method

We ran each library ten times on one laptop.

## Results

Quillparse reads 1.4 million dates in a second. The next library reads 310,000 dates in a second.
`,
  "changes.md": `# Quillparse changelog

## Release notes

Version 3.2 reads dates in Finnish. Version 3.1 made the package smaller by half.
`,
};

/** Of a school, whose name stands everywhere. */
const SCHOOL = {
  "report.md": `# Annual report 2026

## Our school

Elmhurst teaches 410 pupils in sixteen classes. Elmhurst opened a workshop for wood in May.

## Exams

Of 96 pupils at Elmhurst 91 passed the exam. Elmhurst had its best result in mathematics.
`,
  "rules.md": `# House rules

## Leaving Elmhurst early

Pupils leave Elmhurst early with a note. Elmhurst keeps the note until summer.
`,
  "meals.md": `# Meals

## Lunch

Lunch at Elmhurst costs four euro. Elmhurst cooks for 300 pupils.
`,
  "words.md": `# Glossary of Elmhurst

## Words

- **Aula** is the hall of Elmhurst in which all pupils meet.
- **Mentor** is the teacher at Elmhurst whom a pupil may call at any time.
`,
};

const headingsOf = (parts: readonly OutlinePart[]): readonly string[] => parts.map(({ heading }) => heading);
const textOf = (parts: readonly OutlinePart[]): string =>
  parts.flatMap(({ statements }) => statements.map(({ text }) => text)).join("\n");

describe("an overview of what several documents tell", () => {
  let clinic: Retriever;
  let library: Retriever;
  beforeAll(async () => {
    clinic = await memoryIndex({ docs: CLINIC });
    library = await memoryIndex({ docs: LIBRARY });
  });
  afterAll(async () => {
    await clinic.close();
    await library.close();
  });

  it("goes from what it is to results, price and what went wrong", async () => {
    const parts = await outline(clinic, "the Alder Clinic, our family practice, for new patients");
    expect(headingsOf(parts)).toEqual([
      "Who we are",
      "Services",
      "Results in brief",
      "What parents like best",
      "Price",
      "What happened",
    ]);
    expect(parts[0]?.statements[0]?.text).toBe(
      "Alder Clinic is a practice for children and families in Lund.",
    );
  });

  it("has no title page, no advice on how to speak and no list of words in it", async () => {
    const told = textOf(await outline(clinic, "the Alder Clinic"));
    expect(told).not.toMatch(/Leaflet|Version 4|Written in|Say that|Triage|Telephone|Three points/);
  });

  it("gathers the answers of a document to questions of one kind", async () => {
    const price = (await outline(clinic, "the Alder Clinic")).find(({ heading }) => heading === "Price");
    expect(price?.statements.map(({ citation }) => citation.section)).toEqual([
      "What does a visit to the Alder Clinic cost?",
      "Are there discounts?",
      "Do I pay for a missed appointment?",
    ]);
  });

  it("begins with the sentence before the first chapter where that says what it is", async () => {
    const parts = await outline(library, "Quillparse, a date library, in ten slides");
    expect(headingsOf(parts)).toEqual(["Quillparse", "Installation", "Results", "Limitations"]);
    expect(textOf(parts)).not.toMatch(/old pen|Please|laptop|Finnish/);
  });

  it("tells things that no document has together one by one", async () => {
    expect(headingsOf(await outline(clinic, "our services and fees"))).toEqual(["Services", "Price"]);
  });

  it("tells whose documents they are by the report on the whole", async () => {
    const school = await memoryIndex({ docs: SCHOOL });
    expect(headingsOf(await outline(school, "Elmhurst, for new parents"))).toEqual(["Our school", "Exams"]);
    await school.close();
  });

  it("has at most as many parts as are wanted, of as many kinds as there are", async () => {
    const parts = await outline(clinic, "the Alder Clinic", { parts: 3 });
    expect(headingsOf(parts)).toEqual(["Who we are", "Services", "Results in brief"]);
  });
});
