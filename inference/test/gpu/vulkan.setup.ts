/** Before `npm run test:gpu`: a machine without a WebGPU device gets one in software, in every process of the tests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { softwareVulkan } from '../software-vulkan';

export default function setUp(): void {
  const script = join(__dirname, '..', '..', 'dist', 'backends', 'probe-device.js');
  const request = JSON.stringify({ device: 'webgpu', deviceIds: [0], threads: 1 });
  const { stdout } = spawnSync(process.execPath, [script, request], { encoding: 'utf8' });
  if (stdout.includes('"works":true')) return;
  const environment = softwareVulkan();
  if (!environment)
    throw new Error('There is no WebGPU device here, and no Chromium that brings one in software.');
  Object.assign(process.env, environment);
  process.stdout.write('WebGPU runs on SwiftShader, the software driver of Chromium.\n');
}
