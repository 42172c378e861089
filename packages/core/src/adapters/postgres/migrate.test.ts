import { expect, it } from "vitest";

import { checkSchemaName } from "./migrate.ts";

it("takes no name for a schema that would have to be quoted", () => {
  expect(checkSchemaName("troupe_rag_agent")).toBe("troupe_rag_agent");
  for (const name of ["", "a b", "x;drop", "Tasks", "1a", 'a"b', "a".repeat(64)])
    expect(() => checkSchemaName(name)).toThrow(expect.objectContaining({ code: "input.invalid" }));
});
