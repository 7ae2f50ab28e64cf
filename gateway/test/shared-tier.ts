/** Test files that stop, configure or observe the inference tier start their own with `startInference`. */
export const sharedTierVariable = 'TEST_INFERENCE_URL';

/** URL of the inference tier that all test files of a run share. It keeps no state between requests. */
export function sharedTierUrl(): string {
  const url = process.env[sharedTierVariable];
  if (!url)
    throw new Error(
      'gateway/test/tier.setup.ts starts the inference tier, as the global set-up of a Jest project.',
    );
  return url;
}
