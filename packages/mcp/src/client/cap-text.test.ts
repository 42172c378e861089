import * as fc from "fast-check";
import { expect, it } from "vitest";

import { capText } from "./cap-text.ts";

it("leaves a text alone that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(capText(text, Buffer.byteLength(text))).toBe(text);
    }),
  );
});

it("keeps whole characters from the start, within the bound, and says what is missing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), fc.nat(), (text, n) => {
      const total = Buffer.byteLength(text);
      const max = n % total;
      const capped = capText(text, max);
      const at = capped.lastIndexOf("\n[cut off: ");
      const kept = capped.slice(0, at);
      expect(text.startsWith(kept)).toBe(true);
      expect(kept.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(max);
      expect(Buffer.byteLength(kept)).toBeGreaterThan(max - 4);
      expect(capped.slice(at)).toContain(`${Buffer.byteLength(kept)} of ${total} bytes`);
    }),
  );
});
