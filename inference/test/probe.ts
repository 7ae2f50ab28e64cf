/** Probes a device and waits for it, for tests that decide what to run before Jest runs anything. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { OnnxDevice } from '../src/backends/device';
import type { ProbeReport, ProbeRequest } from '../src/backends/probe-device';
import { packageRoot } from '../src/catalogue/paths';

/** @throws Error when the probe crashes: a device that is merely missing is reported. */
export function probeNow(device: OnnxDevice, threads = 1, env = process.env): ProbeReport {
  const request: ProbeRequest = { device, deviceIds: [0], threads };
  const script = join(packageRoot, 'dist', 'backends', 'probe-device.js');
  const { stdout, status, signal } = spawnSync(process.execPath, [script, JSON.stringify(request)], {
    encoding: 'utf8',
    timeout: 120_000,
    env,
  });
  if (!stdout.startsWith('{')) throw new Error(`The probe of ${device} ended with ${signal ?? status}`);
  return JSON.parse(stdout);
}
