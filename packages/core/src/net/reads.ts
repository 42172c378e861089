/** What a reader of a stream has, as far as it is read from. */
export type Reads<T> = Pick<ReadableStreamDefaultReader<T>, "read" | "cancel">;

/** A stream of the platform of what is read, for whoever pipes or iterates one. It asks for nothing ahead. */
export function webStream<T>(reads: Reads<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await reads.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reads.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
