import { expect, it } from "vitest";

import { callerIn, ownerIn } from "./caller-in.ts";

it("takes for a caller who was authenticated, and nobody who only says who they are", () => {
  expect(callerIn({ userId: "ann", scopes: [] })).toEqual({ id: "ann", scopes: [] });
  expect(callerIn({ userId: "ann" })).toBeUndefined();
  expect([{ userId: "ann", scopes: ["*"] }, { userId: "ann" }, {}].map(ownerIn)).toEqual(["ann", "", ""]);
});
