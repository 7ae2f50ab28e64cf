/** The optional package that runs TFJS on a GPU, a peer dependency that no image installs. */
export const tfjsGpuPackage = '@tensorflow/tfjs-node-gpu';

/** Whether the package is installed. Does not load it. */
export function hasTfjsGpu(): boolean {
  try {
    require.resolve(tfjsGpuPackage);
    return true;
  } catch {
    return false;
  }
}
