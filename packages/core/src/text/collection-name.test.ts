import { expect, it } from "vitest";

import { assertCollectionName } from "./collection-name.ts";

it.each(["norrvik-2025", "Gehälter", "الرواتب", "給与_2025", "My Docs 2026.1", "x".repeat(64)])(
  "is a name of a collection: %s",
  (name) => {
    expect(() => assertCollectionName(name)).not.toThrow();
  },
);

it.each(["", "..", ".hidden", "a/b", "a\\b", "a\nb", "-a", "a\u202eb", "x".repeat(65)])(
  "is no name of a collection: %j",
  (name) => {
    expect(() => assertCollectionName(name)).toThrow("cannot be the name of a collection");
  },
);
