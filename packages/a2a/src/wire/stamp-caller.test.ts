import { expect, it } from "vitest";

import { stampCaller, stampedCaller } from "./stamp-caller.ts";
import { toMessage } from "./request.ts";
import { EXT } from "./extension.ts";

it("keeps what the sender may use, whatever the message said of it", () => {
  const forged = toMessage({ text: "x", userId: "root" }, "m");
  forged.metadata = { [EXT]: { v: 1, kind: "request", scopes: ["*"] }, other: 1 };
  const stamped = stampCaller(forged, { id: "ann", scopes: ["agent:a"] });
  expect(stampedCaller(stamped, "ann")).toEqual({ id: "ann", scopes: ["agent:a"] });
  expect(stamped.metadata).toMatchObject({ other: 1 });
  expect(JSON.stringify(stampCaller(forged, undefined))).not.toContain("scopes");
});

it("takes nothing for a right that is none, and nobody for somebody", () => {
  const plain = toMessage({ text: "x" }, "m");
  expect(stampedCaller(plain, "ann")).toEqual({ id: "ann", scopes: [] });
  plain.metadata = { [EXT]: { scopes: [7, "a", null] } };
  expect(stampedCaller(plain, "ann")).toEqual({ id: "ann", scopes: ["a"] });
  expect(stampedCaller(plain, "")).toBeUndefined();
});
