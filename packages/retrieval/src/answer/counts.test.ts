import { describe, expect, it } from "vitest";

import { countedBy, countIn } from "./counts.ts";

describe("countedBy", () => {
  it.each([
    ["How many employees does Norrvik have?", "employe", true],
    ["how many service vehicles are there", "vehicl", true],
    ["How many people work at the plant?", "peopl", true],
    ["Number of customers Norrvik serves", "customer", true],
    ["How many sales people were hired in 2025?", "peopl", false],
    ["How many of its events did Foresight catch?", "event", false],
  ])("%j", (question, noun, stock) => {
    expect(countedBy(question)).toMatchObject({ noun, stock });
  });

  it("is nothing for other questions", () => {
    expect(countedBy("How much does it cost?")).toBeUndefined();
  });
});

describe("countIn", () => {
  const worth = (question: string, text: string, isRow = false): number =>
    countIn(text, countedBy(question) ?? { noun: "", thing: new Set(), stock: false }, isRow);
  const EMPLOYEES = "How many employees does the company have?";

  it.each([
    [EMPLOYEES, "It employed 412 full-time employees at the end of 2025.", 0.85],
    [EMPLOYEES, "It will grow from 412 to 439 employees.", 1],
    [EMPLOYEES, "Thirty-four employees in support can open the file.", 0.7],
    ["How many customers are there?", "It served 640 customers in 2025.", 1],
    ["How many service vehicles are there?", "The 74 service vehicles are old.", 1],
    // A figure that counts something else, or a part.
    [EMPLOYEES, "In 2025 employees used 311 days.", 0],
    [EMPLOYEES, "Employees receive EUR 50 per employee.", 0],
    ["How many stations are there?", "New versions go to 5 percent of the stations.", 0],
    // What came and went is not what there is, but answers when it is asked for.
    ["How many stations does it have?", "It sold about 6,400 stations in 2025.", 0],
    ["How many stations did it sell?", "It sold about 6,400 stations in 2025.", 1],
  ])("%j: %j is worth %d", (question, text, value) => {
    expect(worth(question, text)).toBeCloseTo(value);
  });

  it.each(["bought", "delivered", "hired", "lost", "reached", "sold"])(
    "takes what was %s for no stock",
    (verb) => {
      const text = `Acme ${verb} about 40 drivers in spring.`;
      expect(worth("How many drivers does Acme have?", text)).toBe(0);
      expect(worth(`How many drivers were ${verb}?`, text)).toBe(1);
    },
  );

  it.each([
    "with a dog",
    "who swim",
    "that swim",
    "on leave",
    "of the bakery",
    "from Peru",
    "in Lima",
    "at sea",
    "under 30",
  ])("takes drivers %s for a part of them", (part) => {
    expect(worth("How many drivers does Acme have?", `Acme has 40 drivers ${part}.`)).toBeCloseTo(0.7);
  });

  it.each([
    "Acme won 640 customers",
    "Acme has 640 customers at the end of 2025",
    "It served 640 customers in 1999",
  ])("takes %j for all of them", (text) => {
    expect(worth("How many customers does Acme have?", `${text}.`)).toBe(1);
  });

  it("reads the rows of tables by their first cell and the heads of their columns", () => {
    expect(worth(EMPLOYEES, "Employees at year end – 2024: 371; 2025: 412.", true)).toBe(1);
    expect(worth("How many events were there?", "Havn – Stations: 6; Events: 10.", true)).toBe(1);
    expect(worth("How many events were there?", "Havn – Stations: 6; Hours: 38.", true)).toBe(0);
    expect(worth(EMPLOYEES, "Employees – Cost: EUR 5; Share: 3 %.", true)).toBe(0);
  });
});
