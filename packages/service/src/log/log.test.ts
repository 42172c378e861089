import { assert, constantFrom, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";

import { createLog } from "./create-log.ts";
import { scrub } from "./scrub.ts";

describe("scrub", () => {
  it.each([
    "key sk-ant-api03-abcdefghijklmnop",
    "of troupe_0a1b2c3d_abcdefghijklmnop-abcdefghijklmnopqrstuvwxyz",
    "tried eyJhbGciOiJFZERTQSJ9.abcdefghijklmnop.abcdefghijklmnop twice",
    "Authorization: Bearer abcdefghijklmnop",
    '{"api_key":"abcdefghijklmnop"}',
    "postgres://me:abcdefghijklmnop@db/x",
    "token=abcdefghijklmnop",
    "OPENAI_API_KEY=abcdefghijklmnop",
    JSON.stringify({ body: JSON.stringify({ api_key: "abcdefghijklmnop" }) }),
    JSON.stringify("failed:\nBearer abcdefghijklmnop"),
    JSON.stringify("failed:\neyJhbGciOiJFZERTQSJ9.abcdefghijklmnop.abcdefghijklmnop"),
    "at host.example.org.eyJhbGciOiJFZERTQSJ9.abcdefghijklmnop.abcdefghijklmnop",
    "of x-eyJhbGciOiJFZERTQSJ9.abcdefghijklmnop.",
    `GET /artifacts/${"0".repeat(32)}/a.csv?exp=1790000000&sig=abcdefghijklmnop${"-".repeat(27)}`,
  ])("removes the secret from %s", (line) => {
    expect(scrub(line)).not.toContain("abcdefghijklmnop");
  });

  it("removes known values wherever they stand and leaves ordinary text alone", () => {
    expect(scrub("it was hunter22 all along", ["hunter22"])).toBe("it was *** all along");
    expect(scrub(JSON.stringify({ msg: 'pass "x\\y" on' }), ['"x\\y"'])).toBe('{"msg":"pass *** on"}');
    expect(scrub("read 3 passages in 12 ms")).toBe("read 3 passages in 12 ms");
  });

  it("takes no longer for what was made to take long", () => {
    const worst = ["-eyJ", "-eyJaaaaaaaa", "eyJaaaaaaaaaaa.", "sk-", "token ", "//a:", "Bearer ", "?sig="];
    // Where it grew with the square of the length, one of these took minutes.
    for (const part of worst) expect(scrub(part.repeat(1_000_000 / part.length))).toMatch(/./);
  });

  it("removes whatever is given as a value", () => {
    const name = constantFrom("ANTHROPIC_API_KEY", "api_key", "password", "TOKEN", "client-secret");
    const secret = stringMatching(/^[A-Za-z0-9_-]{8,30}$/);
    assert(
      property(name, constantFrom("=", ":", ": ", " = ", '": "'), secret, (key, sign, value) => {
        expect(scrub(`at ${key}${sign}${value} end`)).not.toContain(value);
      }),
    );
  });
});

describe("createLog", () => {
  it("writes one JSON line with the error's message and no secret in message or stack", () => {
    const lines: string[] = [];
    const log = createLog({
      name: "t",
      level: "info",
      secrets: ["sesame-open"],
      write: (line) => lines.push(line),
    });
    log.child({ run: "r1" }).error("failed", { error: new Error("401 for sesame-open") });
    log.debug("not shown");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      name: "t",
      run: "r1",
      msg: "failed",
      err: { message: "401 for ***" },
    });
    expect(lines[0]).not.toContain("sesame");
  });
});
