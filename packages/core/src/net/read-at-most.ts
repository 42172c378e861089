/** The body as text; empty when it is larger than `max` bytes. */
export async function readAtMost(response: Response, max: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    bytes += next.value.length;
    if (bytes > max) {
      await reader?.cancel();
      return "";
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}
