/** A tier behind the gateway, named as the reasons of SERVICE_UNAVAILABLE name them. */
export type Tier = (typeof tiers)[number];
export const tiers = ['store', 'inference'] as const;

const lookUpEveryMs = 1_000;

/** Which tiers are away, looked up at most once a second however often it is asked. */
export class Readiness {
  private lookedUpAt = Number.NEGATIVE_INFINITY;
  private answer: Promise<Tier[]> = Promise.resolve([]);
  private readonly found = new Set<Tier>();

  constructor(
    private readonly probes: Readonly<Record<Tier, () => boolean | Promise<boolean>>>,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  away(): Promise<Tier[]> {
    if (this.now() - this.lookedUpAt >= lookUpEveryMs) {
      this.lookedUpAt = this.now();
      this.answer = this.lookUp();
    }
    return this.answer;
  }

  /**
   * Tiers that were not found even once. A gateway that never saw a tier may have been told a wrong address, and must not
   * take the place of one that works; a tier that went away is away for all gateways, whichever of them is asked.
   */
  async awaited(): Promise<Tier[]> {
    return (await this.away()).filter((tier) => !this.found.has(tier));
  }

  private async lookUp(): Promise<Tier[]> {
    const { store, inference } = this.probes;
    const [storeReady, inferenceReady] = await Promise.all([store(), inference()]);
    const ready = { store: storeReady, inference: inferenceReady };
    for (const tier of tiers) if (ready[tier]) this.found.add(tier);
    return tiers.filter((tier) => !ready[tier]);
  }
}
