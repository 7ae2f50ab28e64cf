import { StoreAway } from '../services/metering/metering-store';
import { startUpkeep } from './upkeep';

const quiet = { debug: jest.fn(), warn: jest.fn(), error: jest.fn() };
const upkeepWith = (catchUp: () => Promise<void>) =>
  startUpkeep({
    metering: { catchUp },
    meter: { sweep: async () => {} },
    sessions: { sweep: async () => {} },
    logger: quiet as never,
  });

afterEach(() => jest.clearAllMocks());

test('the journal is tried a last time when upkeep ends', async () => {
  const catchUp = jest.fn(async () => {});
  await upkeepWith(catchUp).stop();
  expect(catchUp).toHaveBeenCalledTimes(1);
});

test.each([
  ['debug', new StoreAway('redis')],
  ['error', new Error('a defect')],
] as const)('a journal that stays is told as %s, and the gateway ends all the same', async (level, error) => {
  await upkeepWith(() => Promise.reject(error)).stop();
  expect(quiet[level]).toHaveBeenCalledTimes(1);
});
