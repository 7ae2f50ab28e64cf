import { FairSlots } from './fair-slots';

interface Work {
  run(): Promise<void>;
  skip(): void;
}

/**
 * Runs work of many keys, a limited number at once, in a lane for each key. Every key gets a fair share of the slots, so
 * work that hangs delays only work of the same key. Lanes take turns, so a long lane does not delay a short one.
 */
export class Lanes {
  private readonly slots: FairSlots;
  /** Waiting work by key, in the order of the next turns. */
  private readonly lanes = new Map<string, Work[]>();
  private running = 0;
  private onIdle: (() => void)[] = [];

  /** @param total work at once. @param mostPerKey limit for each key */
  constructor(total: number, mostPerKey?: number) {
    this.slots = new FairSlots(total, mostPerKey);
  }

  /** Runs the work once its key has a free slot, now if there is one. @throws as the work does */
  run(key: string, work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      const entry = { run, skip: resolve };
      const lane = this.lanes.get(key);
      if (lane) lane.push(entry);
      else this.lanes.set(key, [entry]);
      this.startNext();
    });
  }

  /** Resolves once no work waits or runs. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.onIdle.push(resolve));
  }

  /** Skips the work that waits, which counts as done. Resolves once the rest has ended. */
  stop(): Promise<void> {
    const waiting = [...this.lanes.values()].flat();
    this.lanes.clear();
    for (const { skip } of waiting) skip();
    return this.idle();
  }

  private startNext(): void {
    for (const [key, lane] of this.lanes) {
      if (this.slots.free === 0) return;
      if (!this.slots.take(key)) continue;
      const next = lane.shift() as Work;
      // The key's next turn comes after those of the other keys.
      this.lanes.delete(key);
      if (lane.length > 0) this.lanes.set(key, lane);
      this.running++;
      void next.run().finally(() => {
        this.running--;
        this.slots.release(key);
        this.startNext();
        if (this.running === 0) for (const resolve of this.onIdle.splice(0)) resolve();
      });
    }
  }
}
