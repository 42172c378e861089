import { expect, it } from "vitest";

import { needNode } from "./need-node.ts";

it.each(["20.20.2", "22.19.9"])("refuses Node %s, and says which it takes", (version) => {
  expect(() => needNode(version)).toThrow(`22.20, 24.7 or later, and this is ${version}`);
});

it.each(["22.20.1", "24.21.0"])("takes Node %s", (version) => {
  expect(() => needNode(version)).not.toThrow();
});
