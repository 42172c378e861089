import { expect, it } from "vitest";

import { runView } from "../testing/run-view.ts";
import { echoTool } from "../testing/tools.ts";
import { approval } from "./approval.ts";

const asks = (names: readonly string[], tool = echoTool("save")) =>
  approval(names).beforeTool?.({ callId: "c", tool, arguments: {} }, runView()) === "ask";

it("asks for the tools it names, for all by a star, and for those that say so themselves", () => {
  expect(asks(["save", "load"])).toBe(true);
  expect(asks(["*"])).toBe(true);
  expect(asks([], { ...echoTool("save"), needsApproval: true })).toBe(true);
  expect(asks(["load", "sav*"])).toBe(false);
  expect(asks([])).toBe(false);
});
