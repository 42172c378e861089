import { expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { evidenceOf } from "./testing/evidence.ts";
import forms from "./testing/fixtures/forms.json" with { type: "json" };

const cases = forms.flatMap(({ form, evidence, pairs }) =>
  pairs.map(([language = "", right = "", wrong = ""]) => ({ form, evidence, language, right, wrong })),
);

function details(answer: string, { evidence, language }: (typeof cases)[number]): readonly string[] {
  return answerCheck
    .check(answer, evidenceOf(evidence), { language })
    .flatMap(({ finding }) => (finding === undefined ? [] : [`${finding.kind}: ${finding.detail}`]));
}

test.each(cases)("$form, $language: $right", (item) => {
  expect(details(item.right, item)).toEqual([]);
  expect(details(item.wrong, item)).not.toEqual([]);
});
