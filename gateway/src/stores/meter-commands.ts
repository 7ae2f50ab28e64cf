/** The scripts of metering as commands of the client, which sends each whole once and by its hash from then on. */
import type { Result } from 'ioredis';
import type { Denial } from '../services/metering/metering-store';
import { admitScript, keyCount, replayScript, settleScript, sweepScript } from './meter-scripts';
import type { RedisClient } from './redis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    meterAdmit(...args: (string | number)[]): Result<AdmitAnswer, Context>;
    meterSettle(...args: (string | number)[]): Result<number, Context>;
    meterReplay(...args: (string | number)[]): Result<number, Context>;
    meterSweep(...args: (string | number)[]): Result<number, Context>;
  }
}

export type AdmitAnswer = [
  outcome: 'admitted' | Denial,
  remaining: number,
  resetMs: number,
  waitMs: number,
  states: string,
];

export function defineMeterCommands(redis: RedisClient): void {
  const scripts = {
    meterAdmit: admitScript,
    meterSettle: settleScript,
    meterReplay: replayScript,
    meterSweep: sweepScript,
  };
  for (const [name, lua] of Object.entries(scripts)) {
    redis.defineCommand(name, { lua, numberOfKeys: keyCount });
  }
}
