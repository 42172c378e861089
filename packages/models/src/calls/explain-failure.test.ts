import { describe, expect, it } from "vitest";

import { explainFailure, type Endpoint } from "./explain-failure.ts";

const endpoint: Endpoint = {
  provider: "Anthropic",
  model: "claude-sonnet-5-5",
  address: "https://api.example",
  secret: "s3cret-key",
  keySetting: "ANTHROPIC_API_KEY",
};
const explain = (error: unknown, opened = true) => explainFailure(error, endpoint, opened, 0);
const inStream = (type: string) =>
  Object.assign(new Error("failed"), { error: { type: "error", error: { type, message: "why" } } });

describe("explainFailure", () => {
  it.each([
    ["authentication_error", "model.auth", false],
    ["permission_error", "model.auth", false],
    ["invalid_request_error", "model.invalid-request", false],
    ["not_found_error", "model.invalid-request", false],
    ["rate_limit_error", "model.rate-limited", true],
    ["overloaded_error", "model.overloaded", true],
    ["api_error", "model.overloaded", true],
  ])("types %s inside a stream as %s", (type, code, retryable) => {
    expect(explain(inStream(type))).toMatchObject({ code, retryable });
  });

  it("names the request, so that the provider can find it", () => {
    const error = Object.assign(new Error("denied s3cret-key"), { status: 403, requestID: "req_7" });
    expect(explain(error, false).message).toBe(
      'Anthropic does not accept the key (HTTP 403, request req_7). Check ANTHROPIC_API_KEY: it may be wrong, expired or without access to "claude-sonnet-5-5".',
    );
  });

  it.each([
    [400, { message: "" }, "", "Anthropic (claude-sonnet-5-5) refused the request (HTTP 400)"],
    [
      400,
      { message: "" },
      "400 no body",
      "Anthropic (claude-sonnet-5-5) refused the request (HTTP 400): 400 no body",
    ],
    [400, { message: "bad:\n" }, "", "Anthropic (claude-sonnet-5-5) refused the request (HTTP 400): bad"],
    [
      500,
      { message: " " },
      "",
      "Anthropic (claude-sonnet-5-5) cannot answer right now (HTTP 500). Try again.",
    ],
  ])("ends a message about HTTP %i with %j and %j without an open colon", (status, body, message, told) => {
    expect(explain(Object.assign(new Error(message), { status, error: body }), false).message).toBe(told);
  });

  it("finds the reason of a failed connection under its causes, or says what it has", () => {
    const reset = Object.assign(new Error("x"), { code: "ECONNRESET" });
    const failed = new Error("Connection error.", { cause: new Error("fetch failed", { cause: reset }) });
    expect(explain(failed, false).message).toContain("(ECONNRESET)");
    expect(explain("odd", false).message).toContain("(odd)");
  });

  it("leaves a ModelError as it is", () => {
    const error = explain(inStream("api_error"));
    expect(explain(error)).toBe(error);
  });
});
