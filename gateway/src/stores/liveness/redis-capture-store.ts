/** Captures in Redis, where a nonce is taken and its frame kept by one script. */
import type { Result } from 'ioredis';
import type {
  Attempt,
  AttemptRecord,
  CaptureStore,
  ExpectOutcome,
  NewFrame,
  NotTaken,
  TakeOutcome,
} from '../../services/liveness/capture/capture-store';
import { type Movement, type RefusedFrame, refusedFrames } from '../../services/liveness/capture/evidence';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import type { SessionStatus } from '../../services/liveness/session/states';
import { type RedisClient, unavailable } from '../redis';
import { expectScript, releaseScript, takeScript } from './capture-scripts';
import { dueKey, heldKey, sessionKeys } from './keys';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    captureExpect(...args: (string | number)[]): Result<ScriptAnswer, Context>;
    captureTake(...args: (string | number | Buffer)[]): Result<ScriptAnswer, Context>;
    captureRelease(...args: string[]): Result<0 | 1, Context>;
  }
}

type ScriptAnswer = readonly [outcome: string, ...details: (string | number)[]];

export class RedisCaptureStore implements CaptureStore {
  constructor(private readonly redis: RedisClient) {
    redis.defineCommand('captureExpect', { lua: expectScript, numberOfKeys: 4 });
    redis.defineCommand('captureTake', { lua: takeScript, numberOfKeys: 4 });
    redis.defineCommand('captureRelease', { lua: releaseScript, numberOfKeys: 2 });
  }

  async readAttempt(address: SessionAddress, attemptId: string): Promise<Attempt | undefined> {
    const { attempt: key } = sessionKeys(address);
    const fields = await this.redis.hmget(key, 'attemptId', 'movements', 'state', 'taken').catch(unavailable);
    const [id, movements, state, taken] = fields as [string, string, string, string];
    if (id !== attemptId) return undefined;
    return { movements: movementsOf(movements), state, taken: Number(taken) };
  }

  async expectFrame(address: SessionAddress, attemptId: string, number: number): Promise<ExpectOutcome> {
    const [outcome, ...details] = await this.redis
      .captureExpect(...keysOf(address), attemptId, number)
      .catch(unavailable);
    if (outcome !== 'expected') return notTaken(outcome, details);
    const [taken, state, movements] = details as [number, string, string];
    return { outcome, attempt: { movements: movementsOf(movements), state, taken } };
  }

  async takeFrame(address: SessionAddress, frame: NewFrame): Promise<TakeOutcome> {
    const { attemptId, number, after, step, state, dropped, image } = frame;
    const args = [attemptId, number, address.sessionId, after, step, state, dropped ?? 0];
    const [outcome, ...details] = await this.redis
      .captureTake(...keysOf(address), ...args, ...(image ? [image] : []))
      .catch(unavailable);
    const [first, second] = details;
    if (outcome === 'taken') return { outcome, taken: first as number };
    if (outcome === 'outdated') {
      return { outcome, attempt: { taken: first as number, state: second as string } };
    }
    return notTaken(outcome, details);
  }

  async releaseCheck(address: SessionAddress, checker: string): Promise<void> {
    const { accountId, sessionId } = address;
    const keys = [sessionKeys(address).session, dueKey(accountId)];
    await this.redis.captureRelease(...keys, sessionId, checker).catch(unavailable);
  }

  async readRecord(address: SessionAddress, attemptId: string): Promise<AttemptRecord | undefined> {
    const { attempt, frames } = sessionKeys(address);
    const [fields, images] = await Promise.all([
      this.redis.hgetallBuffer(attempt),
      this.redis.hgetallBuffer(frames),
    ]).catch(unavailable);
    if (fields.attemptId?.toString() !== attemptId) return undefined;
    return {
      movements: movementsOf(String(fields.movements)),
      state: String(fields.state),
      camera: String(fields.camera),
      arrivals: arrivalsOf(fields),
      refused: refusedOf(fields),
      frames: new Map(Object.entries(images).map(([number, image]) => [Number(number), image])),
    };
  }
}

const keysOf = (address: SessionAddress): string[] => {
  const { session, attempt, frames } = sessionKeys(address);
  return [session, attempt, frames, heldKey(address.accountId)];
};

function notTaken(outcome: string, [detail]: readonly unknown[]): NotTaken {
  if (outcome === 'refused') return { outcome, reason: detail as RefusedFrame };
  if (outcome === 'status') return { outcome, status: detail === '' ? undefined : (detail as SessionStatus) };
  return { outcome: outcome as 'ended' | 'full' | 'overBytes' };
}

const movementsOf = (text: string) => text.split(',') as Movement[];

type Fields = Readonly<Record<string, Buffer>>;

const arrivalsOf = (fields: Fields): AttemptRecord['arrivals'] =>
  Object.entries(fields)
    .filter(([name]) => name.startsWith('at:'))
    .map(([name, value]) => {
      const [timeMs, step] = value.toString().split(':').map(Number) as [number, number];
      return { number: Number(name.slice('at:'.length)), timeMs, step };
    })
    .sort((a, b) => a.number - b.number);

const refusedOf = (fields: Fields) =>
  Object.fromEntries(
    refusedFrames.map((reason) => [reason, Number(fields[`refused:${reason}`] ?? 0)]),
  ) as Record<RefusedFrame, number>;
