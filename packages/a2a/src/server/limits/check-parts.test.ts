import { Role, type Message, type Part } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { dataPart, textPart } from "../../wire/parts.ts";
import { checkParts } from "./check-parts.ts";

const message = (parts: Part[]): Message => ({
  messageId: "m",
  contextId: "",
  taskId: "",
  role: Role.ROLE_USER,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const fits = (part: Part, partBytes: number): boolean => {
  try {
    checkParts(message([part]), { parts: 1, partBytes });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ statusCode: 413 });
    return false;
  }
};
const raw = (bytes: number): Part => ({
  ...textPart(""),
  content: { $case: "raw", value: Buffer.alloc(bytes) },
});

it("counts a file as it is and says how to send a larger one", () => {
  expect(fits(raw(10), 10)).toBe(true);
  expect(() => checkParts(message([raw(11)]), { parts: 1, partBytes: 10 })).toThrow(
    /or upload the file where the agent stores files/,
  );
});

it("counts text in bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat({ max: 120 }), (text, max) => {
      expect(fits(textPart(text), max)).toBe(Buffer.byteLength(text) <= max);
    }),
  );
});

it("takes data that is written in far fewer bytes, and refuses what is larger", () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, max) => {
      const written = Buffer.byteLength(JSON.stringify(value));
      expect(fits(dataPart(value), max) || written * 2 + 8 > max).toBe(true);
    }),
  );
  const list = { rows: Array.from({ length: 1_000 }, (_, i) => i) };
  const size = JSON.stringify(list).length;
  expect(fits(dataPart(list), size + 8)).toBe(true);
  expect(fits(dataPart(list), size - 8)).toBe(false);
});
