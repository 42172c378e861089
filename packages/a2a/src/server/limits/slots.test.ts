import { expect, it } from "vitest";

import { slots } from "./slots.ts";

it("gives each key its own places, takes one back once, and keeps nothing of who has none", () => {
  const two = slots(2);
  const [first, second] = [two.take("ann"), two.take("ann")];
  expect(two.take("ann")).toBeUndefined();
  expect(two.take("bob")).toBeTypeOf("function");
  first?.();
  first?.();
  expect(two.take("ann")).toBeTypeOf("function");
  expect(two.take("ann")).toBeUndefined();
  second?.();
  expect(two.size).toBe(2);
  const one = slots(1);
  one.take("ann")?.();
  expect(one.size).toBe(0);
});
