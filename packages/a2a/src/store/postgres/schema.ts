/** Brings a schema from one version to the next, the first makes its tables. Never changed once released. */
export const MIGRATIONS = [
  `
CREATE TABLE {schema}.task (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, context TEXT COLLATE "C" NOT NULL,
  state INTEGER NOT NULL, updated_at TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL, body TEXT NOT NULL, bytes INTEGER NOT NULL,
  holder TEXT COLLATE "C", cancel_asked BOOLEAN NOT NULL DEFAULT false,
  settled BIGINT, settled_at BIGINT,
  UNIQUE (owner, id)
);
CREATE SEQUENCE {schema}.settled_order;
CREATE INDEX task_updated ON {schema}.task (owner, updated_at, position);
CREATE INDEX task_of_context ON {schema}.task (owner, context, updated_at, position);
CREATE INDEX task_settled ON {schema}.task (settled) WHERE settled IS NOT NULL;
CREATE INDEX task_unfinished ON {schema}.task (position) WHERE settled IS NULL;
CREATE INDEX task_to_cancel ON {schema}.task (holder) WHERE cancel_asked;
CREATE TABLE {schema}.change (
  task BIGINT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, version)
);
CREATE TABLE {schema}.message (
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, task BIGINT NOT NULL, PRIMARY KEY (owner, id)
);
CREATE INDEX message_of_task ON {schema}.message (task);
CREATE TABLE {schema}.holder (id TEXT COLLATE "C" PRIMARY KEY, until BIGINT NOT NULL);
`,
  // Whom to notify of a task, in the order in which they came.
  `
CREATE TABLE {schema}.push (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task BIGINT NOT NULL REFERENCES {schema}.task ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL, told TEXT NOT NULL, state TEXT NOT NULL,
  UNIQUE (task, id)
);
CREATE INDEX push_open ON {schema}.push (task) WHERE state = 'open';
`,
  // Runs that wait for a person, in the order in which they came to wait.
  `
CREATE SEQUENCE {schema}.suspended_order;
CREATE TABLE {schema}.suspended (
  run TEXT COLLATE "C" PRIMARY KEY, body TEXT NOT NULL,
  position BIGINT NOT NULL DEFAULT nextval('{schema}.suspended_order')
);
CREATE INDEX suspended_by_age ON {schema}.suspended (position);
`,
];

/** Where nobody names one. */
export const DEFAULT_SCHEMA = "troupe";
