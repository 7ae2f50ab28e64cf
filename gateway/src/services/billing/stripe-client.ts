/** Stripe's client. Its ES module is loaded where Stripe is configured, because it takes 0.2 s and 17 MB. */
const load = async (key: string, options: object) => {
  const { default: Stripe } = await import('stripe');
  return new Stripe(key, { timeout: 10_000, maxNetworkRetries: 2, telemetry: false, ...options });
};

export type StripeClient = Awaited<ReturnType<typeof load>>;
/** Where Stripe is, if not at its own address. */
export interface StripeAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

/** @returns the client, which is made at the first call */
export function stripeClient(key: string, address?: StripeAddress): () => Promise<StripeClient> {
  let made: Promise<StripeClient> | undefined;
  return () => {
    made ??= load(key, { ...address });
    return made;
  };
}
