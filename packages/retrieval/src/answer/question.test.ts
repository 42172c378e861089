import { expect, it } from "vitest";

import { memoryIndex } from "../testing/memory-index.ts";
import { holdsWanted, readQuestion } from "./question.ts";

const ASKED = "Who may open the vault?";
const index = await memoryIndex({ docs: { "vault.md": "# Vault\n\nThe vault is below." } });
const WHO = readQuestion(ASKED, await index.search(ASKED));
await index.close();

it.each(
  `anybody anyone board committee companies company customer customers department departments director directors
  employee employees everybody everyone group groups manager managers member members nobody officer officers owner
  owners people person persons staff team teams you`.split(/\s+/),
)("%s is somebody", (who) => {
  expect(holdsWanted(`After dark ${who} may open the vault.`, WHO)).toBe(true);
});

it.each(["Oskar Lind may open the vault.", "After dark, no one may open the vault."])(
  "%j says who",
  (text) => {
    expect(holdsWanted(text, WHO)).toBe(true);
  },
);

it.each(["After dark a key may open the vault.", "The vault may open on Monday."])(
  "%j says nobody",
  (text) => {
    expect(holdsWanted(text, WHO)).toBe(false);
  },
);
