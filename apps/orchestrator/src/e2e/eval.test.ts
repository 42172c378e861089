import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, it } from "vitest";

import { repository } from "../testing/commands.ts";
import { cleanUp, runTroupe, temporaryFolder } from "../testing/troupe.ts";

afterAll(cleanUp);

/** What the playbook can answer of the example. */
const ANSWERED = ["how-much-is-the-rent", "when-do-deliveries-arrive"];

it("runs an example on the built-in rules, and explains a failed expectation", async () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  const examples = join(repository, "examples", "evals");
  const only = ANSWERED.flatMap((id) => ["--only", id]);
  const right = await runTroupe(["eval", join(examples, "house-documents.yaml"), ...only], { home });
  expect(right).toMatchObject({ code: 0 });
  expect(right.stderr).toMatch(/^No model key is set: .*playbook/m);
  expect(right.stderr).toContain('Collection "eval-house-documents": 1 indexed.');
  for (const id of ANSWERED) expect(right.stdout).toMatch(new RegExp(`^  ${id} +1/1 `, "m"));

  const house = join(examples, "collections", "house");
  const cases = [
    {
      id: "rent",
      request: "How much is the rent?",
      expect: {
        facts: ["EUR 950"],
        numbers: ["EUR 0.9 thousand", "EUR 800"],
        citations: ["house-facts.md", "lease.pdf"],
        agents: ["data-agent"],
      },
    },
  ];
  writeFileSync(
    join(folder, "wrong.yaml"),
    JSON.stringify({ version: 1, name: "Wrong", ingest: [house], cases }),
  );
  const wrong = await runTroupe(["eval", "wrong.yaml", "--quiet", "--json", "wrong.json"], { home });
  expect(wrong).toMatchObject({ code: 1, stderr: "" });
  expect(wrong.stdout).toMatch(/facts: "EUR 950" is not in the answer: ".*EUR 900/);
  expect(wrong.stdout).toMatch(/numbers: 800 EUR is not in the answer; it has .*900/);
  expect(wrong.stdout).toMatch(/citations: "lease.pdf" is not cited; cited: House facts/);
  expect(wrong.stdout).toContain("agents: data-agent expected, used: rag-agent");
  const { cases: results } = JSON.parse(readFileSync(join(folder, "wrong.json"), "utf8")) as {
    readonly cases: readonly { readonly attempts: readonly { readonly failures: readonly unknown[] }[] }[];
  };
  expect(results[0]?.attempts[0]?.failures).toHaveLength(4);
});
