import { request, type IncomingMessage } from "node:http";

import { expect, it } from "vitest";

import { answering, scriptedAgent, withServed } from "../../testing/index.ts";

const agent = scriptedAgent(() => answering(["hello"]));

/** Cancels a task there is none of, with a body whose length is not said, of which the end need not come. */
async function cancel(url: string, type: string | undefined, body: string, whole = true): Promise<number> {
  const call = request(url, {
    method: "POST",
    headers: {
      "A2A-Version": "1.0",
      "Transfer-Encoding": "chunked",
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.on("response", resolve).on("error", reject);
  });
  if (whole) call.end(body);
  else call.write(body);
  const { statusCode = 0 } = await answer;
  call.destroy();
  return statusCode;
}

it.each([
  [undefined, "{}", 400],
  ["text/plain", "{}", 400],
  ["application/json", "{}", 404],
  [undefined, "", 404],
  ["text/plain", "", 404],
  ["application/json", "", 404],
])("a body of the type %s and of no length that is said, with %j in it, is answered %i", async (...given) => {
  const [type, body, status] = given;
  await withServed({ agent }, async ({ url }) => {
    expect(await cancel(`${url}/a2a/rest/tasks/none:cancel`, type, body)).toBe(status);
  });
});

it("a body that is refused is not waited for", async () => {
  await withServed({ agent }, async ({ url }) => {
    expect(await cancel(`${url}/a2a/rest/tasks/none:cancel`, undefined, "{", false)).toBe(400);
  });
});
