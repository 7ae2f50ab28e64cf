/**
 * Learns how long an item of weight n takes: duration = perWeightMs * n + baseMs, the model that BentoML's dispatcher fits to
 * batches, here by least squares. Old observations fade exponentially, so that the fit follows a machine that slows down.
 */

/** Weight of an observation relative to the one after it: half of the memory lies in the last 14 items. */
const fade = 0.95;

export class ServiceTime {
  private count = 0;
  private n = 0;
  private d = 0;
  private nn = 0;
  private nd = 0;

  /** @param weight of the item, above 0. @param durationMs from dispatch to result. */
  observe(weight: number, durationMs: number): void {
    this.count = fade * this.count + 1;
    this.n = fade * this.n + weight;
    this.d = fade * this.d + durationMs;
    this.nn = fade * this.nn + weight * weight;
    this.nd = fade * this.nd + weight * durationMs;
  }

  /** Expected duration of an item in milliseconds; 0 before the first observation. */
  predictMs(weight: number): number {
    const { perWeightMs, baseMs } = this.fit();
    return perWeightMs * weight + baseMs;
  }

  /** Both at least 0. */
  fit(): { readonly perWeightMs: number; readonly baseMs: number } {
    if (this.count === 0) return { perWeightMs: 0, baseMs: 0 };
    const spread = this.count * this.nn - this.n * this.n;
    // Items of one weight do not determine the line; through the origin it is an upper bound for larger ones.
    if (spread <= 1e-6 * this.count * this.nn) return { perWeightMs: this.nd / this.nn, baseMs: 0 };
    const perWeightMs = (this.count * this.nd - this.n * this.d) / spread;
    if (perWeightMs < 0) return { perWeightMs: 0, baseMs: this.d / this.count };
    const baseMs = (this.d - perWeightMs * this.n) / this.count;
    return baseMs < 0 ? { perWeightMs: this.nd / this.nn, baseMs: 0 } : { perWeightMs, baseMs };
  }
}
