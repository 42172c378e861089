import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { delegationPrompt } from "../delegation/delegation-prompt.ts";
import { delegationSchema } from "./delegation.ts";

/**
 * Messages as they were sent by versions that are out, and what their files have to stay: agents and
 * orchestrators are not updated at the same moment. A new form gets a new file.
 */
const CORPUS = [
  ["delegation-v1.json", "8c4ba34b1f3aa6f12abf4c87a81ab488ba90a5de10106eac2b3947d21e3d6804"],
  ["delegation-v1-earlier.json", "009c4c8ce815f11210d9991e55a869a8d0e601bd53cb7a24d7a93000ee385f1c"],
] as const;

describe.each(CORPUS)("%s", (name, hash) => {
  const text = readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
  const messages = JSON.parse(text) as readonly unknown[];

  it("is as it was", () => {
    expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
  });

  it("is read, nothing of it is lost, and it makes a prompt", () => {
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      const read = delegationSchema.parse(message);
      expect(read).toEqual(message);
      expect(delegationPrompt(read)).toContain("Your task: Draw it.");
    }
  });

  it("is read without what a later version adds beside it", () => {
    for (const message of messages)
      expect(delegationSchema.parse({ ...(message as object), added: { later: true } })).toEqual(message);
  });
});
