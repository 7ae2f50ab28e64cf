/**
 * Vulkan in software, for WebGPU on a machine without a GPU: SwiftShader and a Vulkan loader, as Debian's package of
 * Chromium brings them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = '/usr/lib/chromium';
const driver = join(folder, 'vk_swiftshader_icd.json');

/** @returns what to add to a process's environment; undefined where Chromium does not bring driver and loader */
export const softwareVulkan = () =>
  existsSync(driver) && existsSync(join(folder, 'libvulkan.so.1'))
    ? { VK_DRIVER_FILES: driver, LD_LIBRARY_PATH: folder }
    : undefined;
