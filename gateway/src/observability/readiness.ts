/** A tier behind the gateway: Redis, the Redis of the session keys, or the inference tier. */
export type Tier = 'store' | 'sessionKeys' | 'inference';

const probeEveryMs = 1_000;

/** Finds out which tiers are unavailable, with at most one probe of each tier per second. */
export class Readiness {
  private probedAt = Number.NEGATIVE_INFINITY;
  private result: Promise<Tier[]> = Promise.resolve([]);
  private readonly seen = new Set<Tier>();
  readonly tiers: readonly Tier[];

  constructor(
    private readonly probes: Readonly<Partial<Record<Tier, () => boolean | Promise<boolean>>>>,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.tiers = Object.keys(probes) as Tier[];
  }

  unavailable(): Promise<Tier[]> {
    if (this.now() - this.probedAt >= probeEveryMs) {
      this.probedAt = this.now();
      this.result = this.probe();
    }
    return this.result;
  }

  /**
   * The tiers that have never been available. A gateway that has never reached a tier may have a wrong address, and
   * must not replace a gateway that works. A tier that fails later fails for all gateways.
   */
  async neverSeen(): Promise<Tier[]> {
    return (await this.unavailable()).filter((tier) => !this.seen.has(tier));
  }

  private async probe(): Promise<Tier[]> {
    const ready = await Promise.all(this.tiers.map((tier) => this.probes[tier]?.()));
    this.tiers.forEach((tier, i) => {
      if (ready[i]) this.seen.add(tier);
    });
    return this.tiers.filter((_tier, i) => !ready[i]);
  }
}
