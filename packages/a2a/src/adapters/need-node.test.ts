import { expect, it } from "vitest";

import { needNode } from "./need-node.ts";

it.each(["20.20.2", "22.12.9", "18.0.0"])("refuses Node %s, and says which it takes", (version) => {
  expect(() => needNode(version)).toThrow(`22.13 or later, and this is ${version}`);
});

it.each(["22.13.0", "22.20.1", "24.0.0", "26.1.0-nightly2026"])("takes Node %s", (version) => {
  expect(() => needNode(version)).not.toThrow();
});
