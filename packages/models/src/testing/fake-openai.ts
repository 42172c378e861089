import { startFakeServer, type FakeModelServer, type FakeServerOptions } from "./fake-model-server.ts";
import { openaiErrorFrame, openaiFrames } from "./openai-frames.ts";

/** A chat-completions server on loopback that streams what it was told to. */
export function startFakeOpenai(options: FakeServerOptions = {}): Promise<FakeModelServer> {
  return startFakeServer(
    {
      prefix: "/v1",
      frames: (reply, body) => openaiFrames(reply, body["model"] as string, "stream_options" in body),
      errorFrame: openaiErrorFrame,
      errorBody: (type, message) => ({ error: { type, message, param: null, code: null } }),
    },
    options,
  );
}
