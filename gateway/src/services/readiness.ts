/** A tier behind the gateway, named as the reasons of SERVICE_UNAVAILABLE name them. */
export type Tier = (typeof tiers)[number];
export const tiers = ['store', 'inference'] as const;

const lookUpEveryMs = 1_000;

/** Which tiers are away, looked up at most once a second however often it is asked. */
export class Readiness {
  private lookedUpAt = Number.NEGATIVE_INFINITY;
  private answer: Promise<Tier[]> = Promise.resolve([]);

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

  private async lookUp(): Promise<Tier[]> {
    const { store, inference } = this.probes;
    const [storeReady, inferenceReady] = await Promise.all([store(), inference()]);
    return [...(storeReady ? [] : ['store' as const]), ...(inferenceReady ? [] : ['inference' as const])];
  }
}
