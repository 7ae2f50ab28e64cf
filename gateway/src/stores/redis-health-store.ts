import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import { bitsOf, dayOf, type Marks } from '../services/health/days';
import type { HealthStore } from '../services/health/health-history';
import { type RedisClient, unavailable } from './redis';

/** Seconds after the start of a day until its record is out of every history. */
const lifetimeSeconds = (limits.health.historyDays + 1) * 86_400;
/** Bits that one command sets: a command with more would delay those of other clients. */
const mostBits = 1_000;

/** The records of days, each a string of bits. The hash tag keeps them in one slot, so that one command reads them all. */
export class RedisHealthStore implements HealthStore {
  constructor(private readonly redis: RedisClient) {}

  async add(marks: readonly (readonly [minute: number, marks: Marks])[]): Promise<void> {
    const days = new Map<string, number[]>();
    for (const [minute, mark] of marks) {
      const day = dayOf(minute);
      days.set(day, [...(days.get(day) ?? []), ...bitsOf(minute, mark)]);
    }
    await Promise.all([...days].map(([day, bits]) => this.set(day, bits))).catch(unavailable);
  }

  async read(days: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const records = await this.redis.mgetBuffer(days.map(keyOf)).catch(unavailable);
    return records.map((record) => record ?? undefined);
  }

  private async set(day: string, bits: readonly number[]): Promise<void> {
    for (let from = 0; from < bits.length; from += mostBits) {
      const sets = bits.slice(from, from + mostBits).flatMap((bit) => ['SET', 'u1', bit, 1]);
      await this.redis.call('BITFIELD', keyOf(day), ...sets);
    }
    await this.redis.expireat(keyOf(day), Date.parse(day) / 1_000 + lifetimeSeconds);
  }
}

const keyOf = (day: string) => `${brand.slug}:{health}:${day}`;
