export { fromColumn, toColumn } from "./column.ts";
export { checkSchemaName, migrateSchema } from "./migrate.ts";
export { openPool, type OpenedPool, type PoolOptions } from "./open-pool.ts";
export { poolSql } from "./pool-sql.ts";
export { DuplicateKey, toStoreError, type Sql } from "./sql.ts";
