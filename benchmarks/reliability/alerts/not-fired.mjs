/** Alerts that this rig cannot raise, with the reason. */
const gpu = 'Needs a GPU and its DCGM exporter.';

/** @type {Readonly<Record<string, string>>} */
export const notFired = {
  PresenzaGpuMemoryHigh: gpu,
  PresenzaGpuHot: gpu,
  PresenzaGpuXidError: gpu,
};
