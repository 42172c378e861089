import { expect, it } from "vitest";

import { mapFrames } from "./map-frames.ts";

async function* counting(log: string[]): AsyncGenerator<number, void, undefined> {
  try {
    yield 1;
    yield 2;
    throw new Error("three");
  } finally {
    log.push("closed");
  }
}

it("maps each frame, and ends as what it stands on ends", async () => {
  const log: string[] = [];
  const seen: number[] = [];
  const all = async (): Promise<void> => {
    for await (const frame of mapFrames(counting(log), (n) => n * 10)) seen.push(frame);
  };
  await expect(all()).rejects.toThrow("three");
  expect(seen).toEqual([10, 20]);
  expect(log).toEqual(["closed"]);
});

it("closes what it stands on when its reader leaves", async () => {
  const log: string[] = [];
  for await (const frame of mapFrames(counting(log), String)) {
    expect(frame).toBe("1");
    break;
  }
  expect(log).toEqual(["closed"]);
});
