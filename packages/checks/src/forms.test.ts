import { expect, test } from "vitest";

import { evidenceOf } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";
import forms from "./testing/fixtures/forms.json" with { type: "json" };

const cases = forms.flatMap(({ form, evidence, pairs }) =>
  pairs.map(([language = "", right = "", wrong = "", finding]) => ({
    form,
    evidence,
    language,
    right,
    wrong,
    finding,
  })),
);
type Case = (typeof cases)[number];

function found(answer: string, { evidence, language }: Case): readonly string[] {
  return findings(answer, evidenceOf(evidence), { language }).filter((one) => one.includes(": "));
}

/** Whether a finding is the expected one, else names what only the wrong answer has; of a wrong unit it names the figure. */
function isOfChange(finding: string, { right, wrong, finding: expected }: Case): boolean {
  if (expected !== undefined) return finding === expected;
  const [, kind, detail = ""] = /^([\w-]+): (.*?)(?:; found in .*)?$/s.exec(finding) ?? [];
  const named = detail.split(", ").filter((one) => wrong.includes(one));
  return named.length > 0 && (kind === "unit" || named.some((one) => !right.includes(one)));
}

test.each(cases)("$form, $language: $right", (item) => {
  expect(found(item.right, item)).toEqual([]);
  expect(found(item.wrong, item).map((one) => isOfChange(one, item) || one)).toEqual([true]);
});
