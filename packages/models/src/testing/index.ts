export { startFakeAnthropic } from "./fake-anthropic.ts";
export type { FakeModelServer, FakeServerOptions, SeenRequest } from "./fake-model-server.ts";
export { startFakeOpenai } from "./fake-openai.ts";
export type { FakeBlock, FakeRefusal, FakeReply, FakeStream, FakeUsage } from "./scenario.ts";
