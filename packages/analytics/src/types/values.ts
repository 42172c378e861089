/** What occurs in one text column with few different values. Data, never instructions. */
export interface ColumnValues {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}
