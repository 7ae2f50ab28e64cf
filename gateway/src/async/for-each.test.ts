import { forEach } from './for-each';

async function* source(count: number, failure?: Error) {
  for (let at = 0; at < count; at++) yield at;
  if (failure) throw failure;
}

test('works on a limited number of items at once', async () => {
  let running = 0;
  let most = 0;
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  await forEach(source(20), 4, async () => {
    running++;
    most = Math.max(most, running);
    if (running === 4) start();
    await started;
    running--;
  });
  expect(most).toBe(4);
});

test.each([
  ['the work', 'work'],
  ['the source', 'source'],
])('reports a failure of %s after all items', async (_name, where) => {
  const failure = new Error('failed');
  const seen: number[] = [];
  const work = async (item: number) => {
    seen.push(item);
    if (where === 'work' && item === 0) throw failure;
  };
  await expect(forEach(source(9, where === 'source' ? failure : undefined), 2, work)).rejects.toBe(failure);
  expect(seen).toHaveLength(9);
});
