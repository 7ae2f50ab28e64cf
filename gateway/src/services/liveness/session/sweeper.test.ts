import type { SessionAddress } from './session-store';
import { atOnce, SessionSweeper } from './sweeper';

/** Sweeps sessions that expire when `expire` says so. */
function sweep(count: number, expire: () => Promise<boolean>, isCutOff = false): Promise<void> {
  return sweeperOf(count, { expire, isCutOff }).sweep(1_000);
}

interface Fakes {
  readonly expire?: () => Promise<boolean>;
  /** Whether the store fails after the last session. */
  readonly isCutOff?: boolean;
  readonly session?: object;
  readonly work?: (address: SessionAddress) => Promise<void>;
}

function sweeperOf(
  count: number,
  { expire = async () => false, isCutOff = false, session, work = async () => {} }: Fakes,
): SessionSweeper {
  async function* due(): AsyncGenerator<SessionAddress> {
    for (let at = 0; at < count; at++) yield { accountId: 'acc_1', sessionId: `ses_${at}` };
    if (isCutOff) throw new Error('no store');
  }
  const store = { acquireLease: async () => true, due, find: async () => session, rejoin: async () => {} };
  const sessions = { expire, abandon: async () => false };
  const services = { store, sessions, rejudge: work, advance: work, onError: () => {} };
  return new SessionSweeper(services as never);
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

test.each([
  ['check', { status: 'checking' }],
  ['step', { status: 'created', stepMs: 1 }],
])('does not begin a %s again while it is under way', async (_name, session) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  const work = () => {
    begun++;
    return ended;
  };
  const sweeper = sweeperOf(1, { session, work });
  await sweeper.sweep(1_000);
  await sweeper.sweep(1_000);
  expect(begun).toBe(1);
  end();
  await sweeper.idle();
  await sweeper.sweep(1_000);
  await sweeper.idle();
  expect(begun).toBe(2);
});
