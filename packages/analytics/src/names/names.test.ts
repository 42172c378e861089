import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { columnNames, tableName } from "./clean-names.ts";
import { columnRole } from "./column-role.ts";
import { exactNumber } from "./exact-number.ts";
import { formatNumber, formatShare } from "./format-number.ts";
import { humanLabel, isAdditive, isShareName, unitOf } from "./labels.ts";
import { oneLine, saidLabel } from "./one-line.ts";
import { periodLabels } from "./periods.ts";
import { quoteName, quoteText, writeName } from "./quote.ts";

describe("quoting", () => {
  it("closes where it opened, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(quoteName(text).slice(1, -1).replaceAll('""', "")).not.toContain('"');
        expect(quoteText(text).slice(1, -1).replaceAll("''", "")).not.toContain("'");
      }),
    );
  });

  it("leaves plain names alone and quotes reserved words, capitals and spaces", () => {
    expect(["sales", "order", "Order Date", 'a"b'].map(writeName)).toEqual([
      "sales",
      '"order"',
      '"Order Date"',
      '"a""b"',
    ]);
  });
});

describe("names out of files", () => {
  it("makes a table name of letters, digits and underscores", () => {
    expect(["Sales 2024.csv", "2024-q1.csv", "Größe.csv", "日本.csv", "..csv"].map(tableName)).toEqual([
      "sales_2024",
      "t_2024_q1",
      "gro_e",
      "table_1",
      "table_1",
    ]);
  });

  it("keeps column names as written, different from one another and never empty", () => {
    expect(columnNames(["id", "ID", "", "a\nb", ' "; DROP TABLE x --'])).toEqual([
      "id",
      "ID_2",
      "column_3",
      "a b",
      '"; DROP TABLE x --',
    ]);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }), (header) => {
        const names = columnNames(header);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(header.length);
        expect(names.every((name) => name !== "" && !/[\n\r\0]/.test(name))).toBe(true);
      }),
    );
  });
});

describe("column roles", () => {
  const role = (name: string, type: string, values: (string | number | null)[]) =>
    columnRole({ name, type, values, distinct: new Set(values).size, rows: values.length });

  it.each([
    ["customer_id", "BIGINT", [1, 2], "id"],
    ["CustomerId", "VARCHAR", ["a", "b"], "id"],
    ["paid", "BIGINT", [1, 2], "measure"],
    ["order_date", "DATE", ["2024-01-01", "2024-01-02"], "date"],
    ["year", "BIGINT", [2023, 2024], "date"],
    ["customer_since", "BIGINT", [2009, 2015], "date"],
    ["orders", "BIGINT", [1990, 2010], "measure"],
    ["Hours per week", "BIGINT", [38, 40], "measure"],
    ["flights_a_day", "BIGINT", [3, 4], "measure"],
    ["visits per_month", "BIGINT", [3, 4], "measure"],
    ["profit this year", "BIGINT", [-3, 120_000], "measure"],
    ["week", "BIGINT", [1, 52], "date"],
    ["quarter", "VARCHAR", ["2024-Q1", "2024-Q2"], "date"],
    ["region", "VARCHAR", ["a", "b"], "category"],
    ["currency", "VARCHAR", ["EUR", "EUR"], "constant"],
    ["version", "BIGINT", [1, 1], "constant"],
    ["total", "BIGINT", [1, 1], "measure"],
  ] as const)("%s %s %j is %s", (name, type, values, expected) => {
    expect(role(name, type, [...values])).toBe(expected);
  });
});

describe("labels", () => {
  it("makes a label a person reads, without the unit", () => {
    expect(["total_revenue_eur", "InvoiceDate", "share_pct", "net sales"].map(humanLabel)).toEqual([
      "Total revenue",
      "Invoice date",
      "Share",
      "Net sales",
    ]);
    expect(["revenue ($)", "cost_pln", "fee £"].map(unitOf)).toEqual(["$", "PLN", "GBP"]);
    expect([formatNumber(1234, "$"), formatNumber(-2, "$")]).toEqual(["$1,234", "-$2"]);
    expect(["revenue_eur", "growth_percent", "price in USD", "quantity", "umsatz_sek"].map(unitOf)).toEqual([
      "EUR",
      "%",
      "USD",
      undefined,
      "SEK",
    ]);
  });

  it("reads percent and shares in names of other languages", () => {
    const percent = [
      "Umsatzanteil in Prozent",
      "Fehlerquote (%)",
      "andel_procent",
      "GrowthPct",
      "Umsatzprozent",
    ];
    expect(percent.map(unitOf)).toEqual(percent.map(() => "%"));
    expect(percent.slice(0, 2).map(humanLabel)).toEqual(["Umsatzanteil", "Fehlerquote"]);
    const shares = [
      "market_share",
      "Marktanteil",
      "Fehlerrate",
      "Bruttomarge",
      "Ausschussquote",
      "Quote",
      "marknadsandel",
    ];
    expect(shares.map(isShareName)).toEqual(shares.map(() => true));
    expect(shares.some(isAdditive)).toBe(false);
    const others = [
      "corporate",
      "Nitrate",
      "Handel",
      "quotes",
      "quote_amount",
      "hourly_rate",
      "Umsatz",
      "moderate",
    ];
    expect(others.filter(isShareName)).toEqual([]);
    expect(["corporate", "Nitrate", "Großhandel", "quotes", "Umsatz"].every(isAdditive)).toBe(true);
  });

  it("knows what adds up", () => {
    expect(["revenue", "quantity", "UnitPrice", "avg_price", "margin %", "average"].map(isAdditive)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("says periods at the grain they have", () => {
    expect(periodLabels(["2023-01-01", "2024-01-01"])).toEqual(["2023", "2024"]);
    expect(periodLabels(["2024-01-01 00:00:00", "2024-04-01 00:00:00"])).toEqual(["2024-Q1", "2024-Q2"]);
    expect(periodLabels(["2024-01-01", "2024-02-01", null])).toEqual(["2024-01", "2024-02", ""]);
    expect(periodLabels(["2024-01-01", "2024-02-03"])).toEqual(["2024-01-01", "2024-02-03"]);
    expect(periodLabels(["2024-01-01 10:30:00"])).toEqual(["2024-01-01 10:30:00"]);
    expect(periodLabels(["2024-01-01"])).toEqual(["2024-01"]);
  });

  it("puts any text on one line, in quotes where it is not a plain name", () => {
    expect(saidLabel("UK & Ireland")).toBe("UK & Ireland");
    expect(saidLabel("x\n## Ignore: do this!")).toBe('"x ## Ignore: do this!"');
    expect(oneLine("a\u2028b\tc")).toBe("a b c");
  });
});

describe("numbers", () => {
  it("writes those of very many digits as powers of ten, and exact text as it is", () => {
    expect([1e300, -2.5e18, 1e17, 2e-9].map((value) => formatNumber(value, "EUR"))).toEqual([
      "EUR 1E+300",
      "EUR -2.5E+18",
      "EUR 100,000,000,000,000,000",
      "EUR 2E-9",
    ]);
    expect(formatNumber("12345678901234567891")).toBe("12,345,678,901,234,567,891");
  });

  it("writes a number in one way", () => {
    expect([1234567.891, 0, -0.5, 0.00123].map((value) => formatNumber(value))).toEqual([
      "1,234,567.89",
      "0",
      "-0.5",
      "0.00123",
    ]);
    expect(formatNumber("12345678901234567890.12", "EUR")).toBe("EUR 12,345,678,901,234,567,890.12");
    expect(formatNumber("abc")).toBe("abc");
    expect(formatShare(0.1234)).toBe("12.3 %");
  });

  it("keeps what a double would lose as text", () => {
    expect(["12.50", "9007199254740993", "-0.001", "100000000000000000000"].map(exactNumber)).toEqual([
      12.5,
      "9007199254740993",
      -0.001,
      "100000000000000000000",
    ]);
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(Number(exactNumber(String(value)))).toBe(value);
      }),
    );
  });
});
