/** The features of this machine's processor. */
import { readFileSync } from 'node:fs';

/** Instructions for dot products of bytes, as Linux names them. */
const dotProducts = /\b(avx512_vnni|avx_vnni|amx_int8|asimddp)\b/;

/** Whether a processor computes dot products of bytes with sums of 32 bits. @param features as Linux lists them */
export const hasByteDotProducts = (features = readFeatures()): boolean => dotProducts.test(features);

/** Every 64-bit ARM processor that macOS runs on has dot products. */
function readFeatures(): string {
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'asimddp' : '';
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
}
