import { checkCases, DEEDS, type Checked, type Scope } from "./check-cases.ts";

// npm run --silent model-check
const SCOPES: readonly Scope[] = [
  { steps: 1, deeds: DEEDS, cancels: true, deaths: true },
  { steps: 2, deeds: DEEDS, cancels: true, deaths: true },
  { steps: 3, deeds: DEEDS },
  { steps: 3, deeds: ["completes", "fails"], cancels: true, deaths: true },
  { steps: 4, deeds: ["completes", "fails"] },
];

const checked: Checked = { runs: 0, failures: [] };
for (const scope of SCOPES) {
  await checkCases(scope, checked);
  process.stderr.write(`${JSON.stringify(scope)}: ${checked.runs} runs so far\n`);
}
for (const failure of checked.failures.slice(0, 20)) process.stderr.write(`${failure}\n`);
process.stdout.write(`${JSON.stringify({ runs: checked.runs, failures: checked.failures.length })}\n`);
if (checked.failures.length > 0) process.exitCode = 1;
