import type { Pool } from "pg";

import { toStoreError, type Arg, type Sql } from "./sql.ts";

/** Each statement on whatever connection is free. */
export function poolSql(pool: Pool, what: string): Sql {
  return {
    async query<Row>(text: string, args: readonly Arg[]) {
      try {
        const { rows } = await pool.query<Row & object>(text, [...args]);
        return rows;
      } catch (error) {
        throw toStoreError(error, what);
      }
    },
    async script(text) {
      // Without arguments the whole text is one message, and one transaction without a word about it.
      try {
        await pool.query(text);
      } catch (error) {
        throw toStoreError(error, what);
      }
    },
  };
}
