/**
 * The frames, each as `map` makes it. By hand, because an async generator around another makes several
 * promises of each frame, and a stream passes through a few of these.
 */
export function mapFrames<T, U>(
  frames: AsyncGenerator<T, void, undefined>,
  map: (frame: T) => U,
): AsyncGenerator<U, void, undefined> {
  const mapped = (result: IteratorResult<T, void>): IteratorResult<U, void> =>
    result.done === true ? result : { done: false, value: map(result.value) };
  const generator: AsyncGenerator<U, void, undefined> = {
    next: async () => mapped(await frames.next()),
    return: async (value) => mapped(await frames.return(await value)),
    throw: async (error) => mapped(await frames.throw(error)),
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => void (await frames.return()),
  };
  return generator;
}
