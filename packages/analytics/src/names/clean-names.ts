const MAX_NAME = 80;

/** A table name from a file name: lower case, letters, digits and underscores. */
export function tableName(fileName: string): string {
  const stem = fileName.replace(/\.[^.]*$/, "");
  const plain = stem
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, MAX_NAME);
  if (plain === "") return "table_1";
  return /^[0-9]/.test(plain) ? `t_${plain}` : plain;
}

/**
 * Column names of a header: what the file says, without control characters, made different from one
 * another (the engine compares without case) and never empty.
 */
export function columnNames(header: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const text = cell
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
      .trim()
      .slice(0, MAX_NAME)
      .trim();
    const base = text === "" ? `column_${index + 1}` : text;
    let name = base;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${base}_${n}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
