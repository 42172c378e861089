import { expect, it } from "vitest";

import { leansBack } from "./leaning.ts";

it.each([
  "There are 84 employees at three sites.",
  "There were 4 accidents in 2025.",
  "There has been no accident since May.",
  "There will be a second plant in Linz.",
  "There isn't any warranty for untreated wood.",
  "There’s one site in Passau.",
  "There are 84 employees, 12 in Linz.",
  "It is forbidden to smoke in the hall.",
  "It is possible for visitors to park in the yard.",
  "It is planned that the plant reaches ISO 9001 in May 2027.",
  "It is no longer necessary to book by phone.",
])("stands wherever it is said: %s", (sentence) => {
  expect(leansBack(sentence)).toBe(false);
});

it.each([
  "It has 40 places.",
  "It is planned for 2027.",
  "It is important to our customers.",
  "It is scheduled to open in May 2027.",
  "There it was sold.",
  "There the plant has 84 employees.",
  "There are 84 in Linz.",
  "There are three of them.",
  "There were about 30.",
  "They are paid by card.",
])("leans on what was said before: %s", (sentence) => {
  expect(leansBack(sentence)).toBe(true);
  expect(leansBack(sentence, true)).toBe(true);
});

it.each([
  "It is planned to reach ISO 9001 in May 2027.",
  "It is not allowed to store varnish in the yard.",
  "It takes three weeks to deliver a roof.",
])("leans only where a thing may have been named before: %s", (sentence) => {
  expect(leansBack(sentence)).toBe(true);
  expect(leansBack(sentence, true)).toBe(false);
});
