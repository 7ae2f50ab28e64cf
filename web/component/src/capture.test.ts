import { type CaptureMeans, runCapture } from './capture';
import type { Result } from './gateway';
import type { FrameResult } from './wire';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const INTERVAL = 200;
const attempt = {
  attemptId: 'att_Rk3VtX8mQz1LwYc6NpSd',
  steps: 4,
  step: { index: 0, movement: 'centre' },
  nonces: ['n0', 'n1', 'n2'],
  frameIntervalMs: INTERVAL,
  maxFrameBytes: 1000,
  timeoutSeconds: 40,
} as const;
const jpeg = {} as Blob;

interface Sent {
  nonce: string;
  respond(result: Result<FrameResult>): void;
}

const taken = (nonce: string, index = 0): Result<FrameResult> => ({
  ok: true,
  data: { nonce, guidance: 'ok', step: { index, movement: 'centre' }, progress: 0, done: false },
});
const lost: Result<never> = { ok: false, failure: { kind: 'network' } };
const refused = (
  status: number,
  code: string,
  reason?: string,
  retryAfterSeconds?: number,
): Result<never> => ({
  ok: false,
  failure: { kind: 'refused', status, code, reason, requestId: undefined, retryAfterSeconds },
});

function capture({ grab = async () => jpeg, shownMs }: Partial<Pick<CaptureMeans, 'grab' | 'shownMs'>> = {}) {
  const sent: Sent[] = [];
  const abort = new AbortController();
  let wake = () => {};
  const means = {
    attempt: { ...attempt, nonces: [...attempt.nonces] },
    grab,
    shownMs,
    send: jest.fn(
      (nonce: string, _jpeg: Blob, _shownMs?: number) =>
        new Promise<Result<FrameResult>>((respond) => sent.push({ nonce, respond })),
    ),
    rest: jest.fn(
      () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
    ),
    signal: abort.signal,
    onResult: jest.fn<void, [FrameResult]>(),
    onTrouble: jest.fn(),
    onInterrupted: jest.fn(),
    onRefused: jest.fn(),
  };
  runCapture(means);
  return {
    ...means,
    sent,
    nonces: () => sent.map(({ nonce }) => nonce),
    pass: (intervals = 1) => jest.advanceTimersByTimeAsync(intervals * INTERVAL),
    async respond(index: number, result: Result<FrameResult>) {
      sent[index]?.respond(result);
      await jest.advanceTimersByTimeAsync(0);
    },
    async wake() {
      wake();
      await jest.advanceTimersByTimeAsync(0);
    },
    stop: () => abort.abort(),
  };
}

test('sends a frame at each interval with the nonces in order, until none is left', async () => {
  const run = capture();
  await run.pass();
  expect(run.nonces()).toEqual(['n0']);
  await run.pass(5);
  expect(run.nonces()).toEqual(['n0', 'n1', 'n2']);
  await run.respond(0, taken('n3'));
  await run.pass(2);
  expect(run.nonces()).toEqual(['n0', 'n1', 'n2', 'n3']);
});

test('a late response does not revert progress', async () => {
  const run = capture();
  await run.pass(3);
  await run.respond(1, taken('n3', 1));
  await run.respond(0, taken('n4', 0));
  await run.respond(2, taken('n5', 2));
  expect(run.onResult.mock.calls.map(([{ step }]) => step.index)).toEqual([1, 2]);
  await run.pass(3);
  expect(run.nonces().slice(3)).toEqual(['n3', 'n4', 'n5']);
});

test('waits for an image', async () => {
  const grab = jest.fn<Promise<Blob | null>, []>().mockResolvedValueOnce(null).mockResolvedValue(jpeg);
  const run = capture({ grab });
  await run.pass();
  expect(run.sent).toHaveLength(0);
  await run.pass();
  expect(run.nonces()).toEqual(['n0']);
});

test('grabs one image at a time', async () => {
  const grab = jest.fn(() => new Promise<Blob | null>(() => {}));
  const run = capture({ grab });
  await run.pass(5);
  expect(grab).toHaveBeenCalledTimes(1);
});

describe('a lost connection', () => {
  test('is reported, and a single frame with the first nonce probes the connection', async () => {
    const run = capture();
    await run.pass(3);
    await run.respond(2, lost);
    await run.respond(0, lost);
    await run.respond(1, lost);
    expect(run.onTrouble.mock.calls).toEqual([['offline']]);
    expect(run.rest).toHaveBeenCalledTimes(1);
    await run.pass(5);
    expect(run.sent).toHaveLength(3);

    await run.wake();
    await run.pass(5);
    expect(run.nonces().slice(3)).toEqual(['n0']);
    await run.respond(3, taken('n3'));
    expect(run.onTrouble).toHaveBeenLastCalledWith(null);
    await run.pass(3);
    expect(run.nonces().slice(4)).toEqual(['n1', 'n2', 'n3']);
  });

  test('is retried with exponential backoff', async () => {
    const run = capture();
    await run.pass();
    for (let tries = 0; tries < 6; tries++) {
      await run.respond(tries, lost);
      await run.wake();
      await run.pass();
    }
    const waits = (run.rest.mock.calls as unknown as [number][]).map(([ms]) => ms);
    const plain = [1000, 2000, 4000, 8000, 8000, 8000];
    waits.forEach((ms, i) => {
      expect(ms).toBeGreaterThanOrEqual((plain[i] ?? 0) * 0.9);
      expect(ms).toBeLessThanOrEqual((plain[i] ?? 0) * 1.1);
    });
  });

  test('that consumed all nonces ends the attempt', async () => {
    const run = capture();
    await run.pass(3);
    for (const index of [0, 1, 2]) await run.respond(index, refused(409, 'SESSION_STATE_CONFLICT', 'frame'));
    expect(run.onInterrupted.mock.calls).toEqual([['connection']]);
  });
});

test('the retry after an overload honors Retry-After', async () => {
  const run = capture();
  await run.pass();
  await run.respond(0, refused(503, 'SERVICE_UNAVAILABLE', 'overload', 3));
  expect(run.onTrouble).toHaveBeenCalledWith('busy');
  expect(run.rest).toHaveBeenCalledWith(3000);
});

test('a rejection of more than a frame is passed on', async () => {
  const run = capture();
  await run.pass();
  await run.respond(0, refused(410, 'SESSION_EXPIRED'));
  expect(run.onRefused).toHaveBeenCalledWith({ kind: 'expired' });
});

test('an attempt times out', async () => {
  const run = capture();
  await jest.advanceTimersByTimeAsync(attempt.timeoutSeconds * 1000);
  expect(run.onInterrupted).toHaveBeenCalledWith('timeout');
});

describe('an attempt that runs out of time while the gateway is unavailable', () => {
  test('keeps saying so until a frame gets a response, and then names the connection', async () => {
    const run = capture();
    await run.pass();
    await run.respond(0, lost);
    await jest.advanceTimersByTimeAsync(attempt.timeoutSeconds * 1000);
    expect(run.onInterrupted).not.toHaveBeenCalled();
    await run.wake();
    await run.pass();
    await run.respond(1, taken('n3'));
    expect(run.onInterrupted.mock.calls).toEqual([['connection']]);
    expect(run.onResult).not.toHaveBeenCalled();
  });

  test('still ends with its last frame', async () => {
    const run = capture();
    await run.pass();
    await run.respond(0, refused(429, 'RATE_LIMIT_EXCEEDED'));
    await jest.advanceTimersByTimeAsync(attempt.timeoutSeconds * 1000);
    await run.wake();
    await run.pass();
    const last = taken('n3', 3);
    await run.respond(1, last.ok ? { ...last, data: { ...last.data, done: true } } : last);
    expect(run.onInterrupted).not.toHaveBeenCalled();
    expect(run.onResult).toHaveBeenCalledTimes(1);
  });
});

test('nothing happens after the abort', async () => {
  const run = capture();
  await run.pass(2);
  run.stop();
  await run.respond(0, taken('n3'));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(run.sent).toHaveLength(2);
  expect(run.onResult).not.toHaveBeenCalled();
  expect(run.onInterrupted).not.toHaveBeenCalled();
});

test('sends with each frame for how long the light was shown when its image was taken', async () => {
  let shown = 40;
  const slow = async () => {
    shown += 90;
    return jpeg;
  };
  const { send, pass } = capture({ grab: slow, shownMs: () => shown });
  await pass(2);
  expect(send.mock.calls.map(([, , shownMs]) => shownMs)).toEqual([40, 130]);
});
