import { expect, test } from "vitest";

import { evidenceOf, passages } from "../testing/evidence.ts";
import { findings } from "../testing/findings.ts";

const text =
  'Revenue was EUR 84.8 million in 2025. The plant in Havn opened on 4 March 2024. Claire Martin leads it, "for now" at least.';
const evidence = { ...passages(text, "Sund."), given: evidenceOf({ given: [text] }).given };

test.each([
  ['{"revenue":99123,"ids":[12,13]}', ["uncited: 99123, 12,13"]],
  ['{"alarms": [12, 13]}', ["uncited: 12, 13"]],
  ['```json\n{"revenue": 99.1}\n```', ["uncited: 99.1"]],
  ['{"summary": "The revenue of 2025 was EUR 84.8 million [1]."}', ["verified"]],
  ['{"summary": "The revenue of 2025 was EUR 94.8 million [1]."}', ["uncited: 94.8 million"]],
  ['{"summary": "She leads it \\"for the next years\\" at least."}', ["quote: for the next years"]],
  ['{"opened_by_q3_2019": "2024-03-04"}', ["verified"]],
  ['{"opened": "2024-03-05"}', ["uncited: 2024-03-05"]],
  ['{\n  "leader": "Claire Dubois",\n  "site": "Havn"\n}', ["uncited: Claire Dubois"]],
  ['{"leader": "Claire Martin", "sources": [1,\n  2]}', []],
])("an answer in JSON is compared without marks and quotes: %j", (answer, expected) => {
  expect(findings(answer, evidence, { format: "json" })).toEqual(expected);
});
