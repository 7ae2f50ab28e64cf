import { Cancellation } from '../../async/cancellation';
import { ApiError } from '../../errors';
import { AdaptiveLimit } from '../inference/adaptive-limit';
import type { Analyses } from '.';
import type { AnalysisCall } from './analysis';
import { Batch, type BatchResult } from './batch';

/** Runs `work` as the one detection of a batch. */
async function runOne(
  work: (call: AnalysisCall) => Promise<object>,
  leftMs: number,
  deadlineMs = 15_000,
  adaptiveLimit: Pick<AdaptiveLimit, 'run'> = new AdaptiveLimit(),
): Promise<BatchResult> {
  const detect = { product: 'faceDetection', group: 'imageAnalysis', prepare: () => work };
  const batch = new Batch([{ operation: 'detect', body: {} }], {
    analyses: { detect } as unknown as Analyses,
    adaptiveLimit,
    check: () => {},
    onFailure: () => {},
    now: () => 0,
    deadlineMs,
  });
  const call = {
    principal: { accountId: 'acc_1' },
    deadline: { signal: new Cancellation(), leftMs: () => leftMs },
  } as unknown as AnalysisCall;
  const results: BatchResult[] = [];
  await batch.run({ stateOf: () => 'reserved' }, call, async (result) => {
    results.push(result);
  });
  return results[0] as BatchResult;
}

const full = () => new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 1 });

test('an operation that meets a tier at capacity is retried automatically', async () => {
  let attempts = 0;
  const result = await runOne(async () => {
    if (++attempts < 3) throw full();
    return { done: true };
  }, 60_000);
  expect({ attempts, ...result }).toMatchObject({ attempts: 3, success: true, data: { done: true } });
});

test('a batch operation yields to single requests and stays within the adaptive limit', async () => {
  const limit = new AdaptiveLimit();
  let attempts = 0;
  const run: AdaptiveLimit['run'] = (account, work) =>
    ++attempts < 2 ? Promise.reject(full()) : limit.run(account, work);
  const work = async ({ priority }: AnalysisCall) => ({ priority });
  expect(await runOne(work, 60_000, 15_000, { run })).toMatchObject({ data: { priority: 'batch' } });
  expect(attempts).toBe(2);
});

test('an operation fails when no time is left for another attempt, and at once for any other error', async () => {
  const late = await runOne(() => Promise.reject(full()), 150);
  expect(late).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE', reason: 'overload' } });
  let attempts = 0;
  const unavailable = await runOne(() => {
    attempts++;
    return Promise.reject(new ApiError('SERVICE_UNAVAILABLE', { reason: 'inference' }));
  }, 60_000);
  expect({ attempts, ...unavailable }).toMatchObject({ attempts: 1, status: 503 });
});

test('an attempt without a response ends at its own deadline, and the operation is retried', async () => {
  let attempts = 0;
  const silent = ({ deadline }: AnalysisCall) =>
    new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason));
    });
  const work = async (call: AnalysisCall) => (++attempts < 2 ? silent(call) : { done: true });
  const begin = performance.now();
  expect(await runOne(work, 60_000, 50)).toMatchObject({ success: true, data: { done: true } });
  expect(attempts).toBe(2);
  expect(performance.now() - begin).toBeLessThan(5_000);
  const late = await runOne(silent, 40, 50);
  expect(late).toMatchObject({ status: 504, error: { code: 'DEADLINE_EXCEEDED' } });
});
