import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";

import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

/**
 * What releases wrote, and the SHA-256 of it. These files stay as they are: a form that changes gets a file of
 * its own, with a line of its own here.
 */
const CORPUS: { readonly [file: string]: string } = {
  "packages/a2a/src/store/postgres/corpus/tasks-v1.sql":
    "10e1415887d67460fb0f378485b3b13ce9c2627ab139dc50d087f7abb0d41306",
  "packages/a2a/src/store/postgres/corpus/tasks-v2.sql":
    "224d51d8c3f5bb5d5a72488940844022d4b985045d5fb30b9c36d7d836665c76",
  "packages/a2a/src/store/postgres/corpus/tasks-v3.sql":
    "d4dd037229e9303d111347058d7a4d7a311e217a53b1d8c9cf05f274f4c06237",
  "packages/a2a/src/store/sqlite/corpus/tasks-v1.sql":
    "9f25b7235f9a14a3a385fd0bf27ce1db316990a9cde844cbae18722f99c8ced7",
  "packages/a2a/src/store/sqlite/corpus/tasks-v2.sql":
    "6a1b652f21ad53b4b18aebe2b1c6b9ed45f95399a693cd4b8111472ece0f4f03",
  "packages/a2a/src/store/sqlite/corpus/tasks-v3.sql":
    "94c4db16c63199f667a4a48abb38ca66bd30eebcda73cfe7c80681497bcb774b",
  "packages/a2a/src/store/sqlite/corpus/tasks-v4.sql":
    "01f3605a4945422db8cd7a7a4f44815d559a505a1726b4f3ccaeff25e7761d96",
  "packages/workflow/src/embedded/corpus/journal-v1.sql":
    "1a61619003605a776f31547f050c03a9514969774a0b4bca2e46d9cd166a73ac",
  "packages/workflow/src/embedded/corpus/journal-v2.sql":
    "91879e01bfda8e9192fe070554c42f3db611e20b8e92df514b3e3085a4380dfb",
  "packages/workflow/src/embedded/corpus/journal-v3.sql":
    "c13c39bfbeb7da87a04436ebf228c6333f008f873a9578ea2f542563d0f7319b",
  "packages/workflow/src/embedded/corpus/journal-v4.sql":
    "84712f220fee1de931c9208cd5c516dc8834d84c93fd5e79007cf373a0d9eb74",
  "packages/workflow/src/embedded/corpus/journals-1.json":
    "f1dac653deada94933d85820c3a1218e23198c0e3ddee969fd997906961e507d",
  "packages/workflow/src/embedded/corpus/journals-2.json":
    "19f429509513bdfbae7ecbb987f1b9a81fed15fc4c498cc79d9580f5a997af55",
  "packages/workflow/src/embedded/corpus/journals-3.json":
    "467eff20eaf40aa8c98c9e482ce52aa5dc7e48a17b635f2a9f12f3df5c3e105e",
  "packages/workflow/src/postgres/corpus/events-v1.sql":
    "89ce15f1340cafed1bff4372d6447a466ff634c25f902ad9933dee9ed8c295fb",
  "packages/workflow/src/runs/corpus/run-v1.json":
    "4ce9b8e0e336006b92a9688ab8ae7e42c24f51e95389e963cb2f1c06cbc54cb8",
};

it("what releases wrote is kept as they wrote it", () => {
  const files = globSync("packages/*/src/**/corpus/*.{sql,json}", { cwd: root });
  const hashes = files.toSorted().map((file) => {
    const bytes = readFileSync(new URL(file, root));
    return [file.replaceAll("\\", "/"), createHash("sha256").update(bytes).digest("hex")];
  });
  expect(Object.fromEntries(hashes)).toEqual(CORPUS);
});
