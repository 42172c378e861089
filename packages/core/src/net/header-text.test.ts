import { validateHeaderName, validateHeaderValue } from "node:http";

import { expect, it } from "vitest";

import { isHeaderName, isHeaderValue } from "./header-text.ts";

it.each(["Authorization", "x-api-key", "X_1", "!#$%&'*+-.^_`|~"])("%s can be sent as a name", (name) => {
  expect(isHeaderName(name)).toBe(true);
});

it.each(["", "x api", "x:", "x\n", "naïve", "x(1)"])("%j cannot be sent as a name", (name) => {
  expect(isHeaderName(name)).toBe(false);
});

it.each(["", "Bearer abc", "a\tb", "café"])("%j can be sent as a value", (value) => {
  expect(isHeaderValue(value)).toBe(true);
});

it.each(["a\nb", "a\n", "a\r", "a\0b", "\x7f", "snow ☃"])("%j cannot be sent as a value", (value) => {
  expect(isHeaderValue(value)).toBe(false);
});

it("of all characters it lets those through that Node sends", () => {
  const isSent = (validate: () => void): boolean => {
    try {
      validate();
      return true;
    } catch {
      return false;
    }
  };
  for (let code = 0; code < 0x200; code++) {
    const text = `x${String.fromCharCode(code)}y`;
    expect([code, isHeaderName(text)]).toEqual([code, isSent(() => validateHeaderName(text))]);
    expect([code, isHeaderValue(text)]).toEqual([code, isSent(() => validateHeaderValue("x", text))]);
  }
});
