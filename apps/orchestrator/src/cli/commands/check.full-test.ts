import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it } from "vitest";

import { cleanUp, runTroupe, temporaryFolder, type Finished } from "../../testing/troupe.ts";

afterEach(cleanUp);

it(
  "checks texts against what was taken in, tables too, without running servers",
  { timeout: 120_000 },
  async () => {
    const folder = temporaryFolder();
    const home = join(folder, "home");
    const troupe = (...args: readonly string[]): Promise<Finished> => runTroupe(args, { home });
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, "docs"));
    const policy = "Trains are booked in second class. A hotel may cost EUR 140 a night in Bremen.";
    write("docs/travel.md", `# Travel policy\n\n${policy}\n`);
    const rows = [
      "N,2024-03-01,P-1,100",
      "S,2025-03-01,P-2,140",
      "S,2025-04-01,P-1,35",
      "N,2025-05-01,P-1,65",
    ];
    write("docs/sales.csv", `region,order_date,product_id,revenue\n${rows.join("\n")}\n`);
    write("docs/products.csv", "product_id,product_name\nP-1,Kettle\nP-2,Teapot\n");
    expect((await troupe("ingest", "docs", "--collection", "firm")).code).toBe(0);

    write("a.md", "A hotel may cost EUR 140 a night in Bremen [7]. The kettle made a revenue of 200.");
    write("b.txt", "A hotel may cost EUR 190 a night in Bremen.");
    const { code, stdout } = await troupe("check", "a.md", "b.txt", "--collection", "firm", "--verbose");
    expect(stdout).toBe(
      [
        "a.md\n2 claims: all found in sources or data",
        "      line 1: A hotel may cost EUR 140 a night in Bremen.",
        "        Travel policy, § Travel policy",
        "      line 1: The kettle made a revenue of 200.",
        "        table sales by product_name (sales.csv)\n",
        "b.txt\n1 claim: 1 not found",
        "  (!) line 1: A hotel may cost EUR 190 a night in Bremen.",
        "        190 is not in the best passages and tables",
        '        closest: Travel policy, § Travel policy: "A hotel may cost EUR 140 a night in Bremen."\n',
        "2 files, 3 claims: 2 found in sources or data, 1 not found\n",
      ].join("\n"),
    );
    expect(code).toBe(1);

    write("c.md", "Revenue was 240 in 2025. In the second quarter of 2025 revenue was 100.");
    write("d.md", "Revenue was 250 in 2025. In the first quarter of 2025 revenue was 100.");
    expect((await troupe("check", "c.md", "--collection", "firm")).stdout).toBe(
      "2 claims: all found in sources or data\n",
    );
    expect((await troupe("check", "d.md", "--collection", "firm")).stdout).toContain(
      "2 claims: all not found",
    );
  },
);
