import type { Citation } from "@troupe/stream";

import type { KeyTable } from "../cite/key-table.ts";
import type { Statement } from "../cite/statement.ts";

/** A heading of a document with what stands under it, word for word. */
export interface OutlinePart {
  readonly heading: string;
  readonly statements: readonly Statement[];
  readonly table?: KeyTable;
  /** What no answer tells, for its marks of prompt injection. */
  readonly withheld: readonly Citation[];
}
