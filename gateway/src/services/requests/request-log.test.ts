import { type LoggedRequest, RequestLog } from './request-log';

const request = (requestId: string): LoggedRequest => ({
  requestId,
  at: 1,
  keyId: 'key_1',
  mode: 'live',
  method: 'POST',
  path: '/detect',
  status: 200,
  ms: 2,
});

/** A store whose writes end when the test says. */
function slowStore() {
  const writes: { accountId: string; count: number; end: (error?: Error) => void }[] = [];
  const append = (accountId: string, { length: count }: readonly LoggedRequest[]) =>
    new Promise<void>((resolve, reject) => {
      writes.push({ accountId, count, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { writes, store: { append } };
}

const settled = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('writes the entries of some time together, by account, in parts that the store takes at once', async () => {
  const { writes, store } = slowStore();
  const log = new RequestLog({ store, onDropped: () => {}, waitMs: 200 });
  for (let at = 0; at < 150; at++) log.add('acc_1', request(`req_${at}`));
  log.add('acc_2', request('req_other'));
  await jest.advanceTimersByTimeAsync(199);
  expect(writes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  const counts = writes.map(({ accountId, count }) => [accountId, count]);
  expect(counts).toEqual([
    ['acc_1', 100],
    ['acc_1', 50],
    ['acc_2', 1],
  ]);
});

test('keeps a bounded number of entries while the store is slow, and counts the others', async () => {
  const { writes, store } = slowStore();
  const onDropped = jest.fn();
  const log = new RequestLog({ store, onDropped, waitMs: 200, most: 3 });
  log.add('acc_1', request('req_1'));
  log.add('acc_1', request('req_2'));
  await jest.advanceTimersByTimeAsync(200);
  log.add('acc_1', request('req_3'));
  log.add('acc_1', request('req_4'));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(writes).toHaveLength(1);
  expect(onDropped.mock.calls).toEqual([['full', 1]]);
  writes[0]?.end();
  await jest.advanceTimersByTimeAsync(200);
  expect(writes.map(({ count }) => count)).toEqual([2, 1]);
});

test('drops the entries of a write that fails, and continues', async () => {
  const { writes, store } = slowStore();
  const onDropped = jest.fn();
  const onWritten = jest.fn();
  const log = new RequestLog({ store, onDropped, onWritten, waitMs: 200, most: 2 });
  const failure = new Error('away');
  log.add('acc_1', request('req_1'));
  log.add('acc_1', request('req_2'));
  await jest.advanceTimersByTimeAsync(200);
  writes[0]?.end(failure);
  await settled();
  expect(onDropped.mock.calls).toEqual([['store', 2, failure]]);
  log.add('acc_1', request('req_3'));
  await jest.advanceTimersByTimeAsync(200);
  writes[1]?.end();
  await settled();
  expect(onWritten).toHaveBeenCalledTimes(1);
});

test('writes everything that waits before it closes', async () => {
  const { writes, store } = slowStore();
  const log = new RequestLog({ store, onDropped: () => {}, waitMs: 200 });
  log.add('acc_1', request('req_1'));
  let closed = false;
  const closing = log.close().then(() => {
    closed = true;
  });
  log.add('acc_1', request('req_2'));
  writes[0]?.end();
  await settled();
  expect([writes.length, closed]).toEqual([2, false]);
  writes[1]?.end();
  await closing;
  expect(jest.getTimerCount()).toBe(0);
});
