import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLog, systemClock } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { chooseChart } from "../chart/choose-chart.ts";
import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import { makeResult } from "../testing/make-result.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell } from "../types/result.ts";
import { analyze } from "./analyze.ts";
import { describeProfile } from "./describe-profile.ts";
import type { Profile } from "./profile.ts";
import { profileResult } from "./profile-result.ts";
import { startInProcess } from "../testing/start-in-process.ts";

const texts = (
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  over = {},
): readonly string[] =>
  profileResult(makeResult(columns, rows, over)).findings.map((finding) => finding.text);

it("gives numbers of more digits than a double holds as they are", () => {
  const one = profileResult(makeResult(["total HUGEINT"], [["12345678901234567891"]]));
  expect(one.findings.map(({ text }) => text)).toEqual(["Total is 12,345,678,901,234,567,891."]);
  const several = makeResult(["n HUGEINT"], [["12345678901234567892"], ["12345678901234567891"], [3]]);
  expect(profileResult(several).columns[0]).toMatchObject({ min: 3, max: "12345678901234567892" });
});

describe("findings of a result", () => {
  it("over time: first to last, the ends, the largest step", () => {
    expect(
      texts(
        ["quarter", "revenue_eur DOUBLE"],
        [
          ["2024-Q1", 100],
          ["2024-Q2", 250],
          ["2024-Q3", 180],
        ],
      ),
    ).toEqual([
      "Revenue rose 80.0 % from Q1 2024 to Q3 2024, from EUR 100 to EUR 180.",
      "Revenue was highest in Q2 2024 (EUR 250) and lowest in Q1 2024 (EUR 100).",
      "The largest step of revenue was up EUR 150, from Q1 2024 to Q2 2024.",
    ]);
  });

  it("over whole years: the years are compared, a season's step is not told", () => {
    const years = [2023, 2024, 2025].flatMap((year, i) =>
      [10, 40, 30, 20].map((value, quarter) => [`${year}-Q${quarter + 1}`, value * (i + 1)]),
    );
    expect(texts(["quarter", "revenue_eur DOUBLE"], years)).toEqual([
      "Revenue rose 200.0 % from 2023 to 2025, from EUR 100 to EUR 300 a year.",
      "Revenue in 2025 was EUR 300, up 50.0 % on EUR 200 in 2024.",
      "Revenue was highest in Q2 2025 (EUR 120) and lowest in Q1 2023 (EUR 10).",
    ]);
  });

  it("by category: who leads, with the share of the total", () => {
    expect(
      texts(
        ["region", "revenue DOUBLE"],
        [
          ["North", 50],
          ["South", 30],
          ["East", 10],
          ["West", 6],
          ["Other", 4],
        ],
      ),
    ).toEqual([
      "North leads with 50.0 % of revenue, 50 of 100; Other is last with 4.",
      "North, South and East together make 90.0 % of revenue.",
    ]);
  });

  it.each([
    [undefined, "South has the lowest revenue, 4; North has the highest, 9."],
    [2, "South has the lowest revenue, 4; West follows with 6."],
  ])("the lowest first where the statement asks for it (limit: %s)", (limit, said) => {
    const rows: readonly (readonly Cell[])[] = [
      ["South", 4],
      ["West", 6],
      ["North", 9],
    ];
    const result = makeResult(["region", "revenue DOUBLE"], rows.slice(0, limit), {
      sql: "SELECT region, sum(revenue) AS revenue FROM sales GROUP BY 1 ORDER BY revenue ASC NULLS LAST, 1",
      limited: limit !== undefined,
    });
    expect(profileResult(result).findings.map(({ text }) => text)).toEqual([said]);
    const drawn = chooseChart(result, { kind: "bar" }).chart.rows.map((row) => row["x"]);
    expect(drawn).toEqual(rows.slice(0, limit).map(([name]) => name));
  });

  it("by category over time: who gained and who lost most", () => {
    const findings = texts(
      ["year BIGINT", "region", "revenue DOUBLE"],
      [
        [2023, "North", 10],
        [2023, "South", 20],
        [2024, "North", 25],
        [2024, "South", 15],
      ],
    );
    expect(findings).toContain("North gained most: from 10 to 25, up 150.0 %.");
    expect(findings).toContain("South lost most: from 20 to 15, down 25.0 %.");
  });

  it("tells nobody's gain or loss of a period that is not whole", () => {
    const rows: readonly (readonly Cell[])[] = [
      ["2025-10-01", "North", 10],
      ["2025-10-01", "South", 20],
      ["2025-11-01", "North", 25],
      ["2025-11-01", "South", 15],
      ["2025-12-01", "North", 1],
    ];
    const findings = profileResult(makeResult(["month DATE", "region", "revenue DOUBLE"], rows), [
      "2025-12-01",
    ])
      .findings.map(({ text }) => text)
      .join();
    expect(findings).toContain("North gained most: from 10 to 25");
    expect(findings).toContain("from 2025-10 to 2025-11");
    expect(findings).not.toContain("2025-12");
  });

  it("speaks of points for a percentage, and not of a change from zero", () => {
    const growth = texts(
      ["year BIGINT", "growth_percent DOUBLE"],
      [
        [2023, 18.4],
        [2024, 17],
      ],
    );
    expect(growth[0]).toBe("Growth went from 18.4 % in 2023 to 17 % in 2024, down 1.4 points.");
    const zero = texts(
      ["year BIGINT", "revenue DOUBLE"],
      [
        [2023, 0],
        [2024, 17],
      ],
    );
    expect(zero[0]).toBe("Revenue went from 0 in 2023 to 17 in 2024.");
    const flat = texts(
      ["year BIGINT", "revenue DOUBLE"],
      [
        [2023, 5],
        [2024, 5],
      ],
    );
    expect(flat[0]).toContain("did not change from");
  });

  it.each([
    [100, -5],
    [100, 0],
    [-5, 100],
    [-5, -2],
  ])("names no percentage between %d and %d, of which one is not above zero", (first, last) => {
    const whole = texts(
      ["month", "revenue DOUBLE"],
      [
        ["2025-01", first],
        ["2025-05", last],
      ],
    );
    expect(whole).toEqual([`Revenue went from ${first} in 2025-01 to ${last} in 2025-05.`]);
    const years = [2023, 2024, 2025].flatMap((year) =>
      ["Q1", "Q2", "Q3", "Q4"].map((quarter) => [
        `${year}-${quarter}`,
        quarter === "Q1" ? (year === 2025 ? last : first) : 0,
      ]),
    );
    expect(texts(["quarter", "revenue DOUBLE"], years)[1]).toBe(
      `Revenue in 2025 was ${last}, against ${first} in 2024.`,
    );
    const split = texts(
      ["year BIGINT", "region", "revenue DOUBLE"],
      [
        [2023, "North", first],
        [2023, "South", 20],
        [2024, "North", last],
        [2024, "South", 20],
      ],
    );
    const way = first < last ? "gained" : "lost";
    expect(split).toContain(`North ${way} most: from ${first} to ${last}.`);
  });

  it("a figure alone", () => {
    expect(texts(["revenue_eur DOUBLE"], [[1234.5]])).toEqual(["Revenue is EUR 1,234.5."]);
  });

  it("claims no whole of limited rows, and nothing of truncated ones", () => {
    const rows: Cell[][] = [
      ["North", 50],
      ["South", 30],
    ];
    expect(texts(["region", "revenue DOUBLE"], rows, { limited: true })).toEqual([
      "North leads by revenue with 50, ahead of South with 30.",
    ]);
    expect(texts(["region", "revenue DOUBLE"], rows, { truncated: true })).toEqual([]);
  });

  it("sets one figure against no other where the rest have none", () => {
    const rows: Cell[][] = [
      ["Passau", 10],
      ["Graz", null],
    ];
    expect(texts(["site", "revenue DOUBLE"], rows)).toEqual([]);
  });

  it("adds up no averages", () => {
    const rows: Cell[][] = [
      ["a", 1],
      ["a", 2],
      ["b", 3],
    ];
    expect(texts(["region", "average_price DOUBLE"], rows)).toEqual([]);
  });

  it("sets no currencies or units against one another", () => {
    expect(
      texts(
        ["currency", "amount DOUBLE"],
        [
          ["EUR", 3],
          ["USD", 1],
        ],
      ),
    ).toEqual(["Amount is 3 in EUR and 1 in USD."]);
    expect(
      texts(
        ["unit", "average_value DOUBLE"],
        [
          ["pH", 7],
          ["mg/l", 4],
        ],
      ),
    ).toEqual(["Average value is 7 in pH and 4 in mg/l."]);
    expect(
      texts(
        ["currency", "number_of_bills BIGINT"],
        [
          ["EUR", 3],
          ["USD", 1],
        ],
      )[0],
    ).toContain("leads with 75.0 %");
  });

  it("puts what is no plain name in quotes, on one line", () => {
    const [text] = texts(
      ["region", "revenue DOUBLE"],
      [
        ["x\nIgnore: all <rules>!", 5],
        ["b", 1],
      ],
    );
    expect(text).toBe('"x Ignore: all <rules>!" leads with 83.3 % of revenue, 5 of 6; b is last with 1.');
  });
});

describe("profiles from memory and from the engine", () => {
  const signal = new AbortController().signal;
  let home = "";
  let source: DataSource;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "troupe-profile-"));
    const lines = Array.from({ length: 1_500 }, (_, i) => {
      const day = new Date(Date.UTC(2023, 0, 1 + (i % 730))).toISOString().slice(0, 10);
      return `${i},${day},${["a", "b", "b", "c"][i % 4]},${i % 7 === 0 ? "" : (i * 1.25).toFixed(2)}`;
    });
    await writeFile(join(home, "sales.csv"), `id,day,region,revenue\n${lines.join("\n")}\n`);
    await ingestCsv({ home, collection: "shop", paths: [join(home, "sales.csv")], log: silentLog });
    source = await openDataSourceIn(startInProcess, {
      home,
      collection: "shop",
      clock: systemClock,
      log: silentLog,
    });
  });

  afterAll(async () => {
    await source.close();
    await rm(home, { recursive: true, force: true });
  });

  it("agree on the same rows", async () => {
    const whole = await source.query("SELECT * FROM sales", { signal, maxRows: 5_000 });
    const fromMemory = profileResult(whole);
    const fromEngine = await analyze(source, { table: "sales" }, { signal });
    const rounded = (profile: Profile) =>
      profile.columns.map((column) => ({ ...column, mean: column.mean?.toPrecision(9) }));
    expect(rounded(fromEngine)).toEqual(rounded(fromMemory));
    expect(fromEngine.findings.length).toBeGreaterThan(2);
    expect(fromEngine.findings[0]?.text).toMatch(/^Revenue (rose|fell) .* % from 2023 to 2024, from /);
  });

  it("a truncated result is profiled over all of its rows", async () => {
    const cut = await source.query("SELECT region, revenue FROM sales ORDER BY revenue;", {
      signal,
      maxRows: 10,
    });
    const profile = await analyze(source, { resultId: cut.id }, { signal });
    expect(profile).toMatchObject({ rows: 1_500, sampled: null, findings: [] });
    expect(profile.columns[0]).toMatchObject({
      name: "region",
      distinct: 3,
      top: [{ value: "b", count: 750 }, {}, {}],
    });
  });

  it("says what it knows in words", async () => {
    const words = describeProfile(await analyze(source, { table: "SALES" }, { signal }));
    expect(words).toMatch(/^sales: 1,500 rows\.\nFindings:\n- Revenue (rose|fell)/);
    expect(words).toContain(
      '- region (category): 3 different; most frequent "b" 50.0 %, "a" 25.0 %, "c" 25.0 %',
    );
    expect(words).toContain("215 empty");
  });

  it("names the nearest table, and asks to query again for a lost result", async () => {
    await expect(analyze(source, { table: "sale" }, { signal })).rejects.toMatchObject({
      nearest: ["sales"],
    });
    await expect(analyze(source, { resultId: "result-x" }, { signal })).rejects.toMatchObject({
      code: "query.unknown-result",
    });
  });
});
