import * as fc from "fast-check";
import { expect, it } from "vitest";

import { columnNames } from "../names/clean-names.ts";
import type { ColumnInfo, DataSchema } from "../types/schema.ts";
import { describeSchema } from "./describe-schema.ts";

const text = fc.string({
  unit: fc.oneof(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), fc.constantFrom("\n", "\u2028")),
  maxLength: 20,
});
const name = text.map((raw) => columnNames([raw])[0] ?? "");
const count = fc.nat({ max: 1_000_000 });

const column: fc.Arbitrary<ColumnInfo> = fc.oneof(
  fc.record({
    name,
    type: fc.constant("VARCHAR"),
    role: fc.constantFrom("category" as const, "id" as const, "constant" as const),
    nulls: count,
    distinct: count,
    min: fc.constant(null),
    max: fc.constant(null),
    samples: fc.array(text, { maxLength: 3 }),
  }),
  fc.record({
    name,
    type: fc.constantFrom("BIGINT", "DECIMAL(18,2)"),
    role: fc.constant("measure" as const),
    nulls: count,
    distinct: count,
    min: fc.integer(),
    max: fc.integer(),
    samples: fc.constant([]),
  }),
  fc.record({
    name,
    type: fc.constant("DATE"),
    role: fc.constant("date" as const),
    nulls: count,
    distinct: count,
    min: fc.constant("2024-01-01"),
    max: fc.constant("2025-12-31"),
    samples: fc.constant([]),
  }),
);

const schema: fc.Arbitrary<DataSchema> = fc.record({
  collection: fc.constantFrom("shop", "norrvik-2025"),
  tables: fc.array(
    fc.record({
      name,
      source: text,
      rows: count,
      rejected: count,
      columns: fc.array(column, { maxLength: 4 }),
    }),
    { maxLength: 3 },
  ),
});

it("takes one line a table and a column, whatever names and values hold", () => {
  fc.assert(
    fc.property(schema, (given) => {
      const lines = describeSchema(given)
        .split(/[\n\r\u2028\u2029]/)
        .filter((line) => line !== "");
      const columns = given.tables.flatMap((table) => table.columns);
      expect(lines).toHaveLength(1 + given.tables.length + columns.length);
      expect(lines.filter((line) => line.startsWith("Table "))).toHaveLength(given.tables.length);
      expect(lines.filter((line) => line.startsWith("- "))).toHaveLength(columns.length);
    }),
  );
});
