/** The optional package that lets TFJS compute on a GPU: a peer that only the GPU image installs. */
export const tfjsGpuPackage = '@tensorflow/tfjs-node-gpu';

/** Whether it is installed; nothing is loaded. */
export function hasTfjsGpu(): boolean {
  try {
    require.resolve(tfjsGpuPackage);
    return true;
  } catch {
    return false;
  }
}
