/** Before `npm run test:gpu`: a machine without a WebGPU device gets one in software, in every process of the tests. */
import { probeNow } from '../probe';
import { softwareVulkan } from '../software-vulkan';

export default function setUp(): void {
  if (probeNow('webgpu').works) return;
  Object.assign(process.env, softwareVulkan());
  if (!probeNow('webgpu').works)
    throw new Error('There is no WebGPU device here, and no Chromium that brings one in software.');
  process.stdout.write('WebGPU runs on SwiftShader, the software driver of Chromium.\n');
}
