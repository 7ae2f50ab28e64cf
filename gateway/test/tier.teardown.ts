import './tier.setup';

export default async function tearDown(): Promise<void> {
  await globalThis.sharedInferenceTier?.stop();
}
