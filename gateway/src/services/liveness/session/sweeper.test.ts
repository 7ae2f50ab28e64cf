import type { SessionAddress } from './session-store';
import { atOnce, SessionSweeper } from './sweeper';

/** Sweeps sessions that expire when `expire` says so. */
function sweep(count: number, expire: () => Promise<boolean>, isCutOff = false): Promise<void> {
  async function* due(): AsyncGenerator<SessionAddress> {
    for (let at = 0; at < count; at++) yield { accountId: 'acc_1', sessionId: `ses_${at}` };
    if (isCutOff) throw new Error('no store');
  }
  const unused = async () => undefined;
  const store = { acquireLease: async () => true, due, find: unused, rejoin: unused };
  const sessions = { expire, abandon: async () => false };
  return new SessionSweeper({ store, sessions, rejudge: unused, advance: unused } as never).sweep(1_000);
}

test('sweeps several sessions at once, but not all', async () => {
  let running = 0;
  let most = 0;
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  await sweep(5 * atOnce, async () => {
    running++;
    most = Math.max(most, running);
    if (running === atOnce) start();
    await started;
    running--;
    return true;
  });
  expect(most).toBe(atOnce);
});

test('sweeps the other sessions before it reports a failure', async () => {
  let swept = 0;
  const failing = async () => {
    swept++;
    throw new Error('no key');
  };
  await expect(sweep(3 * atOnce, failing, true)).rejects.toThrow('no key');
  expect(swept).toBe(3 * atOnce);
});
