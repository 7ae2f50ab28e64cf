/** Captures in Redis. One script uses up a nonce and stores its frame. */
import limits from '@presenza/contract/limits.json';
import type {
  Attempt,
  AttemptRecord,
  CaptureStore,
  ExpectOutcome,
  FramesToRemember,
  NewFrame,
  NotTaken,
  TakeOutcome,
} from '../../services/liveness/capture/capture-store';
import { type Movement, type RefusedFrame, refusedFrames } from '../../services/liveness/capture/evidence';
import { outstanding } from '../../services/liveness/capture/nonces';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import type { SessionStatus } from '../../services/liveness/session/states';
import { maxFingerprints } from '../../services/liveness/verdict/fingerprints';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { dueKey, frameHourEnds, frameHourKey, frameHourKeys, heldKey, sessionKeys } from './keys';

type FrameKey = 'session' | 'attempt' | 'frames' | 'held';
type FrameArg = 'attemptId' | 'number';

const constants = {
  OUTSTANDING: outstanding,
  MAX_FRAMES: limits.liveness.attempt.maxFramesAccepted,
};
const expectScript = LuaScript.load<FrameKey, FrameArg>('liveness/expect-frame', constants);
const takeScript = LuaScript.load<
  FrameKey,
  FrameArg | 'id' | 'after' | 'step' | 'newState' | 'dropped' | 'image' | 'asks'
>('liveness/take-frame', constants);
const countSignatureScript = LuaScript.load<'attempt', 'attemptId'>('liveness/count-refused-signature');
const releaseScript = LuaScript.load<'session' | 'due', 'id' | 'checker'>('liveness/release-check', {
  SWEEP_DELAY_MS: 5_000,
});

const rememberScript = LuaScript.load<
  'session' | 'attempt' | 'remembered' | 'held',
  'id' | 'attemptId' | 'ends'
>('liveness/remember-frames', { MAX_FINGERPRINTS: maxFingerprints });

type ScriptReply = readonly [outcome: string, ...details: (string | number)[]];

export class RedisCaptureStore implements CaptureStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {}

  async readAttempt(address: SessionAddress, attemptId: string): Promise<Attempt | undefined> {
    const { attempt: key } = sessionKeys(address);
    const fields = await this.redis.hmget(key, 'attemptId', 'movements', 'state', 'taken').catch(unavailable);
    const [id, movements, state, taken] = fields as [string, string, string, string];
    if (id !== attemptId) return undefined;
    return { movements: movementsOf(movements), state, taken: Number(taken) };
  }

  async expectFrame(address: SessionAddress, attemptId: string, number: number): Promise<ExpectOutcome> {
    const reply = await expectScript
      .run(this.redis, keysOf(address), { attemptId, number })
      .catch(unavailable);
    const [outcome, ...details] = reply as ScriptReply;
    if (outcome !== 'expected') return notTaken(outcome, details);
    const [taken, state, movements] = details as [number, string, string];
    return { outcome, attempt: { movements: movementsOf(movements), state, taken } };
  }

  async takeFrame(address: SessionAddress, frame: NewFrame): Promise<TakeOutcome> {
    const { attemptId, number, after, step, state, dropped = 0, image = '', asksTurn } = frame;
    const { sessionId: id } = address;
    const args = {
      attemptId,
      number,
      id,
      after,
      step,
      newState: state,
      dropped,
      image,
      asks: Number(asksTurn),
    };
    const reply = await takeScript.run(this.redis, keysOf(address), args).catch(unavailable);
    const [outcome, ...details] = reply as ScriptReply;
    const [taken, newest] = details as [number, string];
    if (outcome === 'taken') return { outcome, taken };
    if (outcome === 'outdated') return { outcome, attempt: { taken, state: newest } };
    return notTaken(outcome, details);
  }

  async countRefusedSignature(address: SessionAddress, attemptId: string): Promise<void> {
    const { attempt } = sessionKeys(address);
    await countSignatureScript.run(this.redis, { attempt }, { attemptId }).catch(unavailable);
  }

  async releaseCheck(address: SessionAddress, checker: string): Promise<void> {
    const { accountId, sessionId: id } = address;
    const keys = { session: sessionKeys(address).session, due: dueKey(accountId) };
    await releaseScript.run(this.redis, keys, { id, checker }).catch(unavailable);
  }

  async rememberFrames(
    address: SessionAddress,
    { attemptId, createdAt, fingerprints }: FramesToRemember,
  ): Promise<readonly boolean[] | undefined> {
    const { accountId, sessionId: id } = address;
    const { session, attempt, remembered } = sessionKeys(address);
    const keys = { session, attempt, remembered, held: heldKey(accountId) };
    const first = frameHourKey(accountId, createdAt);
    const hours = [first, ...frameHourKeys(accountId, this.now()).filter((hour) => hour !== first)];
    const args = { id, attemptId, ends: frameHourEnds(createdAt) };
    const reply = await rememberScript
      .run(this.redis, keys, args, { keys: hours, args: fingerprints })
      .catch(unavailable);
    return reply === null ? undefined : Array.from(String(reply), (known) => known === '1');
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

const keysOf = (address: SessionAddress): Record<FrameKey, string> => {
  const { session, attempt, frames } = sessionKeys(address);
  return { session, attempt, frames, held: heldKey(address.accountId) };
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
