import { StoreUnavailable } from '../services/metering/metering-store';
import { startBackgroundJobs } from './background-jobs';

const quiet = { debug: jest.fn(), warn: jest.fn(), error: jest.fn() };
const jobsWith = (catchUp: () => Promise<void>) =>
  startBackgroundJobs({
    metering: { catchUp },
    meter: { sweep: async () => {} },
    sessions: { sweep: async () => {}, stop: async () => {} },
    logger: quiet as never,
  });

afterEach(() => jest.clearAllMocks());

test('the journal is tried a last time when upkeep ends', async () => {
  const catchUp = jest.fn(async () => {});
  await jobsWith(catchUp).stop();
  expect(catchUp).toHaveBeenCalledTimes(1);
});

test.each([
  ['debug', new StoreUnavailable('redis')],
  ['error', new Error('a defect')],
] as const)(
  'a journal that stays is reported as %s, and the gateway still shuts down',
  async (level, error) => {
    await jobsWith(() => Promise.reject(error)).stop();
    expect(quiet[level]).toHaveBeenCalledTimes(1);
  },
);
