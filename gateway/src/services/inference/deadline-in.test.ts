import { Cancellation } from '../../async/cancellation';
import { ApiError, ClientGone } from '../../errors';
import { deadlineIn } from './deadline-in';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('ends work after its time', () => {
  const { deadline } = deadlineIn(1_000);
  jest.advanceTimersByTime(999);
  expect(deadline.signal.aborted).toBe(false);
  expect(deadline.leftMs()).toBe(1);
  jest.advanceTimersByTime(1);
  expect(deadline.signal.reason).toEqual(new ApiError('DEADLINE_EXCEEDED'));
});

test('applies the outer deadline as well', () => {
  const outer = { signal: new Cancellation(), leftMs: () => 500 };
  const { deadline } = deadlineIn(1_000, outer);
  expect(deadline.leftMs()).toBe(500);
  const gone = new ClientGone();
  outer.signal.abort(gone);
  expect(deadline.signal.reason).toBe(gone);
  expect(deadlineIn(1_000, outer).deadline.signal.reason).toBe(gone);
});

test('aborts nothing once it is stopped', () => {
  const outer = { signal: new Cancellation(), leftMs: () => 500 };
  const { deadline, end } = deadlineIn(1_000, outer);
  end();
  jest.advanceTimersByTime(2_000);
  outer.signal.abort(new ClientGone());
  expect(deadline.signal.aborted).toBe(false);
  expect(jest.getTimerCount()).toBe(0);
});
