import { expect, test } from "vitest";

import { answerCheck } from "../answer-check.ts";
import { evidenceOf } from "../testing/evidence.ts";

const checked = (...results: readonly object[]): readonly string[] =>
  answerCheck
    .check("Sales were 412 in the year [q1].", evidenceOf({ results: results as never }))
    .map(({ status }) => status);
const sales = { id: "q1", columns: ["sales"], rows: [[412]] };

test("cells full of dates are read as far as they fit", () => {
  const day = (at: number): string => `2025-0${(at % 9) + 1}-1${at % 10}`;
  const cell = Array.from({ length: 41 }, (_, at) => day(at)).join(", ");
  const columns = Array.from({ length: 8 }, (_, at) => `c${at}`);
  const rows = Array.from({ length: 500 }, () => columns.map(() => cell));
  expect(checked({ id: "q2", columns, rows }, sales)).toEqual(["verified"]);
});

test("a table that cannot be read leaves the others as they are", () => {
  expect(checked({ id: "q2", columns: ["n"], rows: [null] }, sales)).toEqual(["verified"]);
});
