/** A tier behind the gateway, named as the reasons of SERVICE_UNAVAILABLE name them. */
export type Tier = (typeof tiers)[number];
export const tiers = ['store', 'inference'] as const;

const probeEveryMs = 1_000;

/** Finds out which tiers are unavailable, with at most one probe of each tier per second. */
export class Readiness {
  private probedAt = Number.NEGATIVE_INFINITY;
  private result: Promise<Tier[]> = Promise.resolve([]);
  private readonly seen = new Set<Tier>();

  constructor(
    private readonly probes: Readonly<Record<Tier, () => boolean | Promise<boolean>>>,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

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
    const { store, inference } = this.probes;
    const [storeReady, inferenceReady] = await Promise.all([store(), inference()]);
    const ready = { store: storeReady, inference: inferenceReady };
    for (const tier of tiers) if (ready[tier]) this.seen.add(tier);
    return tiers.filter((tier) => !ready[tier]);
  }
}
