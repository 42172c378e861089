/** What became of one file. */
export interface FileReport {
  /** Original file name, no path. */
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  /** Rows that did not fit the columns and were left out. */
  readonly rejected: number;
  /** By column, cells read as empty because they are not numbers as the rest of it. */
  readonly rejectedCells: readonly { readonly column: string; readonly count: number }[];
  /** The first of the rejected rows. */
  readonly rejects: readonly { readonly line: number; readonly problem: string }[];
  /** A row was kept that looks like a total of the others. */
  readonly doubtfulTotal: boolean;
  readonly encoding: string;
  readonly delimiter: string;
  /** Choices a person may want to know of, one sentence each. */
  readonly notes: readonly string[];
}

export interface FileFailure {
  readonly file: string;
  /** Quotes the file and says what is wrong. */
  readonly message: string;
}

/** `files` are in the collection now; `failures` were left out and changed nothing. */
export interface IngestReport {
  readonly collection: string;
  readonly files: readonly FileReport[];
  readonly failures: readonly FileFailure[];
  /** Name of the damaged registry that was replaced; tables from before have to be ingested again. */
  readonly replacedRegistry?: string;
}
