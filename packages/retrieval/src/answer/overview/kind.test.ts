import { expect, it } from "vitest";

import { kindOf } from "./kind.ts";

const subject = new Set(["alder", "clinic"]);

it.each([
  ["Who we are", "is"],
  ["What the Alder Clinic does", "is"],
  ["The Alder Clinic", "is"],
  ["Alder Clinic: a practice for families", "is"],
  ["What is a referral?", "offer"],
  ["Services", "offer"],
  ["Booking an appointment", "use"],
  ["What a visit costs", "price"],
  ["Patient survey: results", "results"],
  ["What the clinic does not treat", "limits"],
  ["Plans for next year", "plans"],
  ["Doctors and staff", "people"],
  ["Geese", undefined],
])("%j tells what kind of thing it tells: %s", (heading, kind) => {
  expect(kindOf(heading, subject)).toBe(kind);
});
