import type { ConformanceReport, Finding, Outcome } from "@troupe/a2a/conformance";

import { harmless } from "./harmless.ts";

/** What a person is told one by one; the rest is counted. */
const SECTIONS: readonly (readonly [Outcome, string])[] = [
  ["failed", "failed"],
  ["expected-failure", "failed, as expected"],
  ["advised", "recommended, and not followed"],
  ["not-exercised", "not seen: the agent does not do it"],
];

const COUNTED: readonly (readonly [Outcome, string])[] = [
  ["passed", "passed"],
  ["failed", "failed"],
  ["expected-failure", "failed as expected"],
  ["advised", "recommended and not followed"],
  ["not-exercised", "not seen"],
  ["not-applicable", "not offered by the card"],
  ["untestable", "not to be seen from outside"],
];

/** A report for a person: what was tried, what did not go well and why, and the verdict. */
export function conformanceText(report: ConformanceReport): string {
  const { agent, interfaces, findings, counts, stale } = report;
  const lines = [
    `${agent.name} at ${agent.cardUrl}, A2A ${report.specification}`,
    ...interfaces.map(
      ({ binding, version, url, tried, why }) =>
        `  ${tried ? "tried    " : "not tried"}  ${binding} ${version}  ${url}${why === undefined ? "" : `  ${why}`}`,
    ),
  ];
  for (const [outcome, title] of SECTIONS) {
    const these = findings.filter((finding) => finding.outcome === outcome);
    if (these.length > 0) lines.push("", `${title}:`, ...grouped(these));
  }
  if (stale.length > 0)
    lines.push(
      "",
      "expected to fail, and did not: take them off the list:",
      ...stale.map(
        ({ requirement, binding }) => `  ${requirement}${binding === undefined ? "" : `  ${binding}`}`,
      ),
    );
  const told = COUNTED.filter(([outcome]) => counts[outcome] > 0).map(
    ([outcome, words]) => `${counts[outcome]} ${words}`,
  );
  lines.push("", told.join(", "), report.ok ? "It conforms." : "It does not conform.");
  return `${harmless(lines.join("\n"))}\n`;
}

/** What goes wrong alike over each binding is told once. */
function grouped(findings: readonly Finding[]): readonly string[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.requirement.id);
    if (group === undefined) groups.set(finding.requirement.id, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { requirement } = first;
    const whys = new Map([first, ...more].map(({ binding, why }) => [why, binding]));
    const each = [first, ...more].map(({ binding }) => binding).filter((binding) => binding !== "agent");
    return [
      `  ${requirement.id}  (${requirement.section} ${requirement.level}${each.length === 0 ? "" : `, ${each.join(", ")}`})`,
      `      ${requirement.text}`,
      ...[...whys].map(([why, binding]) => `      ${whys.size > 1 ? `${binding}: ` : ""}${why}`),
    ];
  });
}
