import { expect, it } from "vitest";

import { CASES } from "./cases/all.ts";
import { compareInventory, INVENTORY, requirementsOf } from "./inventory/inventory.ts";
import { SERVICE_DEFINITION } from "./inventory/service-definition.ts";
import { SPECIFICATION } from "./inventory/specification.ts";
import { REQUIREMENTS } from "./requirements/all.ts";

const ids = REQUIREMENTS.map(({ id }) => id);
const tried = CASES.map(({ verifies }) => verifies);

it("every requirement has an id of its own, a section and words", () => {
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, section, text } of REQUIREMENTS) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(section).toMatch(/^(\d+(\.\d+)*|[A-Z])$/);
    expect(text).toMatch(/^[A-Z].*\.$/);
  }
});

it("every requirement is tried once, or says why it cannot be", () => {
  expect(new Set(tried).size).toBe(tried.length);
  const testable = REQUIREMENTS.filter(({ untestable }) => untestable === undefined).map(({ id }) => id);
  expect([...tried].toSorted()).toEqual(testable.toSorted());
});

it("every sentence of the specification that asks for something is accounted for", () => {
  expect(Object.keys(SPECIFICATION)).toHaveLength(174);
  expect(Object.keys(SERVICE_DEFINITION)).toHaveLength(23);
  const digests = Object.values(INVENTORY).map(([digest]) => digest);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{8}$/);
  const named = Object.values(INVENTORY).flatMap(requirementsOf);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

it("no requirement claims a MUST that no sentence has", () => {
  const named = new Set(Object.values(INVENTORY).flatMap(requirementsOf));
  const invented = REQUIREMENTS.filter(({ id, level }) => level === "MUST" && !named.has(id));
  expect(invented.map(({ id }) => id)).toEqual([]);
});

it("what an inventory and a text of the specification differ in is told by sentence", () => {
  const markdown = [
    "### 8.1. Purpose",
    "Servers **MUST** do something else. They may [SHALL not](#x) care.",
    "```",
    "This MUST be an example.",
    "```",
    "#### Request: one",
    "- It MUST count for the section.",
  ].join("\n");
  const proto = "message Task {\n  // The id\n  // must be there.\n  string id = 1;\n}";
  const differences = compareInventory(markdown, proto);
  expect(differences.slice(0, 4)).toEqual([
    "8.1#1 is worded otherwise: Servers MUST do something else.",
    "8.1#2 is new: They may SHALL not care.",
    "8.1#3 is new: It MUST count for the section.",
    "Task.id#1 is new: The id must be there.",
  ]);
  expect(differences).toContain("3.1.1#1 is gone");
});
