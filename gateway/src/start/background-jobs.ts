/**
 * The periodic jobs of a gateway: they bill the journal, refund reservations of lost processes, end expired liveness
 * sessions, erase the keys of sessions whose data has ended, and finish the erasure of accounts.
 */
import type { Logger } from 'pino';
import { every } from '../async/every';
import { describe } from '../errors/explain';
import type { SessionSweeper } from '../services/liveness/session/sweeper';
import type { Metering } from '../services/metering/metering';
import { StoreUnavailable } from '../services/metering/metering-store';
import type { RedisSessionKeys } from '../stores/liveness/redis-session-keys';
import type { RedisMeter } from '../stores/redis-meter';

const replayEveryMs = 1_000;
const sweepEveryMs = 15_000;
const sweepSessionsEveryMs = 2_000;
const sweepKeysEveryMs = 60_000;

export interface BackgroundJobServices {
  readonly metering: Pick<Metering, 'catchUp'>;
  readonly meter: Pick<RedisMeter, 'sweep'>;
  readonly sessions: Pick<SessionSweeper, 'sweep' | 'stop'>;
  readonly sessionKeys?: Pick<RedisSessionKeys, 'sweep'> | undefined;
  readonly others?: readonly Job[];
  readonly logger: Logger;
}

/** Periodic work of which a lease selects one gateway for each round. */
export interface Job {
  /** The name that the log states if a round fails. */
  readonly name: string;
  readonly everyMs: number;
  run(everyMs: number): Promise<void>;
}

/**
 * @returns `stop`, which lets running jobs finish and replays the journal a last time: after a scale-down, this gateway
 *   may never start again.
 */
export function startBackgroundJobs({
  metering,
  meter,
  sessions,
  sessionKeys,
  others = [],
  logger,
}: BackgroundJobServices): {
  stop(): Promise<void>;
} {
  // The breaker has already logged that the store is unavailable.
  const onJournal = (error: Error) =>
    logger[error instanceof StoreUnavailable ? 'debug' : 'error']({ err: describe(error) }, 'journal');
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
    every(
      sweepKeysEveryMs,
      async () => sessionKeys?.sweep(),
      (error) => logger.warn({ err: describe(error) }, 'sweep of the keys of liveness sessions'),
    ),
    ...others.map(({ name, everyMs, run }) =>
      every(
        everyMs,
        () => run(everyMs),
        (error) => logger.warn({ err: describe(error) }, name),
      ),
    ),
  ];
  return {
    async stop() {
      await Promise.all(rounds.map((stop) => stop()));
      await sessions.stop();
      await metering.catchUp().catch(onJournal);
    },
  };
}
