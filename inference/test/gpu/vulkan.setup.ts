/** Gives a machine without a WebGPU device one in software, in every process of `npm run test:gpu`. */
import { probeNow } from '../probe';
import { softwareVulkan } from '../software-vulkan';

export default function setUp(): void {
  if (probeNow('webgpu').works) return;
  Object.assign(process.env, softwareVulkan());
  if (!probeNow('webgpu').works)
    throw new Error('There is no WebGPU device here, and no Chromium that brings one in software.');
  process.stdout.write('WebGPU runs on SwiftShader, the software driver of Chromium.\n');
}
