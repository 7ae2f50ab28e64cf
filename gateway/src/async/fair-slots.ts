/**
 * Slots that keys share, such as the webhook attempts of a process among accounts. A key that holds a slot gets another
 * only while it holds less than half as many as are free. So a key whose work hangs holds about a third of them, another
 * such key a third of the rest, and slots are left for keys that need few.
 */
export class FairSlots {
  private readonly held = new Map<string, number>();
  private taken = 0;

  /** @param total of all keys together, at least 1. @param mostPerKey limit for each key */
  constructor(
    private readonly total: number,
    private readonly mostPerKey = total,
  ) {}

  get free(): number {
    return this.total - this.taken;
  }

  /** @returns whether the key holds one more slot, which `release` must give back */
  take(key: string): boolean {
    const held = this.held.get(key) ?? 0;
    const hasShare = held === 0 ? this.free > 0 : held < this.free / 2;
    if (!hasShare || held >= this.mostPerKey) return false;
    this.held.set(key, held + 1);
    this.taken++;
    return true;
  }

  release(key: string): void {
    const held = (this.held.get(key) ?? 0) - 1;
    if (held > 0) this.held.set(key, held);
    else this.held.delete(key);
    this.taken--;
  }
}
