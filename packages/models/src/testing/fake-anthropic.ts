import { anthropicErrorFrame, anthropicFrames } from "./anthropic-frames.ts";
import { startFakeServer, type FakeModelServer, type FakeServerOptions } from "./fake-model-server.ts";

/** A Messages API on loopback that streams what it was told to. */
export function startFakeAnthropic(options: FakeServerOptions = {}): Promise<FakeModelServer> {
  return startFakeServer(
    {
      prefix: "",
      frames: (reply, body) => anthropicFrames(reply, body["model"] as string),
      errorFrame: anthropicErrorFrame,
      errorBody: (type, message) => ({ type: "error", error: { type, message } }),
    },
    options,
  );
}
