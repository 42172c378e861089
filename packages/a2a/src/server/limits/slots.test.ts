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
  expect(two.size()).toBe(2);
  const bytes = slots(10);
  const [large] = [bytes.take("ann", 8)];
  expect(bytes.take("ann", 3)).toBeUndefined();
  const small = bytes.take("ann", 2);
  large?.();
  expect(bytes.take("ann", 9)).toBeUndefined();
  small?.();
  expect(bytes.size()).toBe(0);
  const one = slots(1);
  one.take("ann")?.();
  expect(one.size()).toBe(0);
});
