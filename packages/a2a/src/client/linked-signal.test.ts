import { describe, expect, it } from "vitest";

import { linkedSignal } from "./linked-signal.ts";

describe("linkedSignal", () => {
  it("aborts with the other, for the same reason, also when that is over already", () => {
    const caller = new AbortController();
    const call = linkedSignal(caller.signal);
    expect(call.signal.aborted).toBe(false);
    caller.abort("enough");
    expect(call.signal.reason).toBe("enough");
    expect(linkedSignal(caller.signal).signal.reason).toBe("enough");
  });

  it("leaves nothing on the other once the call is over", () => {
    const caller = new AbortController();
    const call = linkedSignal(caller.signal);
    call.release();
    caller.abort();
    expect(call.signal.aborted).toBe(false);
  });
});
