export {
  openPostgresEventLog,
  type PostgresEventLog,
  type PostgresEventLogOptions,
} from "./open-event-log.ts";
