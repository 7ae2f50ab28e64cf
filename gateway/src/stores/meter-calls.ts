/**
 * Collects the admissions and settlements of one turn of the event loop and sends those of an account in one script call.
 * Most of the cost of a call, here and in Redis, does not depend on how many requests it carries.
 */
import { admitAndSettleScript, meterKeys } from './meter-scripts';
import type { RedisClient } from './redis';

/** Redis does nothing else during a script, so one call carries at most about this many items: some 2 ms of work. */
const mostItems = 64;

type Kind = 'admissions' | 'settlements';

export interface MeterRequest {
  /** `gateway/lua/metering` describes its fields. */
  readonly request: object;
  /** Items to reserve or to settle. */
  readonly itemCount: number;
  /** Name of the key of its Idempotency-Key. */
  readonly idem: string | undefined;
}

interface Entry extends MeterRequest {
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

class Call implements Record<Kind, Entry[]> {
  readonly admissions: Entry[] = [];
  readonly settlements: Entry[] = [];
  itemCount = 0;
}

export class MeterCalls {
  /** The waiting call of each account. */
  private waiting = new Map<string, Call>();

  constructor(private readonly redis: RedisClient) {}

  /**
   * @returns the script's reply to this request.
   * @throws the script's error for this request, or the error of the whole call
   */
  add(accountId: string, kind: Kind, request: MeterRequest): Promise<unknown> {
    if (this.waiting.size === 0) setImmediate(() => this.flush());
    const call = this.waiting.get(accountId) ?? new Call();
    this.waiting.set(accountId, call);
    const reply = new Promise((resolve, reject) => {
      call[kind].push({ ...request, resolve, reject });
    });
    call.itemCount += Math.max(1, request.itemCount);
    if (call.itemCount >= mostItems) {
      this.waiting.delete(accountId);
      void this.send(accountId, call);
    }
    return reply;
  }

  private flush(): void {
    const calls = this.waiting;
    this.waiting = new Map();
    for (const [accountId, call] of calls) void this.send(accountId, call);
  }

  private async send(accountId: string, { admissions, settlements }: Call): Promise<void> {
    const keys: string[] = [];
    const listOf = (entries: readonly Entry[]) =>
      JSON.stringify(
        entries.map(({ request, idem }) =>
          // `push` returns the new length, which is the position of the key in Lua, where lists begin at 1.
          idem === undefined ? request : { ...request, idem: keys.push(idem) },
        ),
      );
    const args = { admissions: listOf(admissions), settlements: listOf(settlements) };
    const entries = [...admissions, ...settlements];
    try {
      const replies = await admitAndSettleScript.run(this.redis, meterKeys(accountId), args, { keys });
      for (const [i, reply] of (replies as unknown[]).entries()) {
        if (reply instanceof Error) entries[i]?.reject(reply);
        else entries[i]?.resolve(reply);
      }
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }
}
