import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { thingsIn, topicOf } from "./topic.ts";

describe("topicOf", () => {
  it.each([
    ["Foresight, our early-warning product, for new customers", "Foresight"],
    ["the Alder Clinic, our family practice, for new patients", "the Alder Clinic"],
    ["Quillparse, a date library, in ten slides", "Quillparse"],
    ["the school, for parents", "the school"],
    ["Kompass in 5 slides for new employees", "Kompass"],
    ["the data platform for a meeting", "the data platform for a meeting"],
    // What customers or employees get is part of the subject.
    ["discounts for customers", "discounts for customers"],
    ["training for employees", "training for employees"],
    ["goals, risks and budget of the plan", "goals, risks and budget of the plan"],
    ["our products and how customers use them", "our products and how customers use them"],
  ])("%j is about %j", (subject, topic) => {
    expect(topicOf(subject)).toBe(topic);
  });

  it("leaves something of any subject, and takes no long time", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(text.includes(topicOf(text).slice(0, 1))).toBe(true);
      }),
    );
    for (const filler of [" for ", ", ", ", our a", " in ten slides", "A "])
      expect(topicOf(`A${filler.repeat(1_000)}`).length).toBeGreaterThan(0);
  });
});

it("finds the things that a subject joins", () => {
  expect(thingsIn("our products and how customers use them")).toEqual([
    "our products",
    "how customers use them",
  ]);
  expect(thingsIn("fees, services, and doctors")).toEqual(["fees", "services", "doctors"]);
});
