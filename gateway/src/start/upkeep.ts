/**
 * What a gateway does beside its requests: counts what the journal holds, gives back what lost processes reserved, ends
 * liveness sessions whose time has passed.
 */
import type { Logger } from 'pino';
import { every } from '../async/every';
import { describe } from '../errors';
import type { SessionSweeper } from '../services/liveness/session/sweeper';
import type { Metering } from '../services/metering/metering';
import { StoreAway } from '../services/metering/metering-store';
import type { RedisMeter } from '../stores/redis-meter';

const replayEveryMs = 1_000;
const sweepEveryMs = 15_000;
const sweepSessionsEveryMs = 2_000;

export interface UpkeepServices {
  readonly metering: Pick<Metering, 'catchUp'>;
  readonly meter: Pick<RedisMeter, 'sweep'>;
  readonly sessions: Pick<SessionSweeper, 'sweep'>;
  readonly logger: Logger;
}

/**
 * @returns what ends it, once the rounds under way are done and the journal was tried a last time: what is left in it
 *   waits for this gateway to come back, and one that was scaled away never does.
 */
export function startUpkeep({ metering, meter, sessions, logger }: UpkeepServices): {
  stop(): Promise<void>;
} {
  // That the store is away was told already.
  const onJournal = (error: Error) =>
    logger[error instanceof StoreAway ? 'debug' : 'error']({ err: describe(error) }, 'journal');
  const rounds = [
    every(replayEveryMs, () => metering.catchUp(), onJournal),
    every(
      sweepEveryMs,
      () => meter.sweep(sweepEveryMs),
      (error) => logger.warn({ err: describe(error) }, 'sweep'),
    ),
    every(
      sweepSessionsEveryMs,
      () => sessions.sweep(sweepSessionsEveryMs),
      (error) => logger.warn({ err: describe(error) }, 'sweep of liveness sessions'),
    ),
  ];
  return {
    async stop() {
      await Promise.all(rounds.map((stop) => stop()));
      await metering.catchUp().catch(onJournal);
    },
  };
}
