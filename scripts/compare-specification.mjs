// Tells in which sentences that ask for something a text of the A2A specification differs from the inventory
// that the conformance suite keeps. For when a new version of it appears.
// usage: node --conditions=troupe-source scripts/compare-specification.mjs specification.md a2a.proto
import { readFileSync } from "node:fs";

import { compareInventory } from "../packages/a2a/src/conformance/inventory/inventory.ts";

const [, , markdown, proto] = process.argv;
if (markdown === undefined || proto === undefined) {
  console.error("usage: compare-specification.mjs specification.md a2a.proto");
  process.exit(2);
}
const differences = compareInventory(readFileSync(markdown, "utf8"), readFileSync(proto, "utf8"));
for (const difference of differences) console.log(difference);
console.log(
  differences.length === 0 ? "The inventory is of this text." : `${differences.length} differences.`,
);
process.exit(differences.length === 0 ? 0 : 1);
