import { expect, it } from "vitest";

import { plainHeading } from "./heading.ts";

it.each([
  ["What does Foresight cost?", "What Foresight costs"],
  ["Are there discounts?", "Discounts"],
  ["Is there a trial?", "Trial"],
  ["What is the front desk?", "Front desk"],
  ["Do you have certificates?", "Certificates"],
  // Without its question word it would say something else.
  ["Why does the invoice show a higher figure?", "Why does the invoice show a higher figure?"],
  ["How do you sign us in?", "How do you sign us in?"],
  ["What it costs", "What it costs"],
])("%j as a heading is %j", (heading, plain) => {
  expect(plainHeading(heading)).toBe(plain);
});
