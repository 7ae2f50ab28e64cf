/** Alerts that this rig cannot raise, with the reason. */
const gpu = 'Needs a GPU and its DCGM exporter.';

/** @type {Readonly<Record<string, string>>} */
export const notFired = {
  PresenzaGpuMemoryHigh: gpu,
  PresenzaGpuHot: gpu,
  PresenzaGpuXidError: gpu,
  PresenzaDevicesDiffer: 'Needs one inference process with a GPU and one without.',
  PresenzaLivenessFailing: 'Needs a person, or a rendered one, in front of a camera for every session.',
  PresenzaWebhooksStuck:
    'Needs a dispatcher that hangs while its gateway responds. No fault from outside does this.',
  PresenzaWebhookBacklog:
    'Needs 10,000 deliveries that wait, and their retries would go on for hours after the fault.',
};
