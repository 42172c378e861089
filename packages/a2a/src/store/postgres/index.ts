export {
  openPostgresTaskStore,
  type PostgresTaskStore,
  type PostgresTaskStoreOptions,
} from "./open-postgres.ts";
export type { PostgresTasks, PostgresTasksOptions } from "./postgres-task-store.ts";
