/** Starts the inference tier that the test files of a run share: each start takes 4 to 5 s of processor time. */
import { type RunningServer, startInference } from '../harness/index.mjs';
import { sharedTierVariable } from './shared-tier';

declare global {
  /** Jest loads set-up and teardown separately, and both run in its main process. */
  var sharedInferenceTier: RunningServer | undefined;
}

export default async function setUp(): Promise<void> {
  globalThis.sharedInferenceTier = await startInference();
  process.env[sharedTierVariable] = globalThis.sharedInferenceTier.url;
}
