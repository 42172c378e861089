import { readFileSync } from "node:fs";

import { runFile } from "./run-file.ts";

// Whoever reads may have seen enough.
process.stdout.on("error", () => process.exit());

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0) {
  process.stderr.write("Usage: npm run --silent vectors -- FILE.jsonl\n");
  process.exitCode = 2;
} else {
  let text: string | undefined;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    process.stderr.write(`${file} cannot be read. Give a file with one case a line.\n`);
    process.exitCode = 2;
  }
  if (text !== undefined) {
    const failed = await runFile(text, (line) => process.stdout.write(`${line}\n`));
    if (failed > 0) process.exitCode = 1;
  }
}
