/**
 * Runs the work for each item, for a limited number of items at once, so that an item whose work hangs does not delay the
 * others.
 * @throws the first failure, of the work or of the items' source, after all items that the source has given
 */
export async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const fail = (error: unknown) => void failures.push(error);
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const takeTurns = async () => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      try {
        await work(next.value);
      } catch (error) {
        fail(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, () => takeTurns().catch(fail)));
  if (failures.length > 0) throw failures[0];
}
