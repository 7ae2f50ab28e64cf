/**
 * Models in 16-bit floats for a CPU. ONNX Runtime computes 16-bit graphs there in 32 bits and skips the rounding between
 * operations, which would make them look too accurate. These graphs round explicitly: operations compute in 32 bits on
 * rounded weights, and every value that a GPU stores in 16 bits goes through 16 bits.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../gateway/harness/index.mjs';
import { catalogue } from './serving.mjs';

/** ONNX's numbers of element types. */
const FLOAT = 1;
const FLOAT16 = 10;

/** The same models with rounding. @param {any} served see `servingModels` @returns {Promise<any>} */
export async function withRounding(served) {
  const { compileGraph, encodeModel } = await import('../../inference/dist/compiler/compile.js');
  const { toFloat16 } = await import('../../inference/dist/compiler/float16.js');
  const folder = temporaryFolder();
  const manifests = await catalogue();
  const models = {};
  for (const [role, spec] of Object.entries(served.models)) {
    const manifest = manifests.find(({ id }) => id === spec.id);
    const outputs = manifest.outputs.map(({ name }) => name);
    const graph = rounded(toFloat16(await compileGraph(manifest), outputs));
    const path = join(folder, `${spec.id}.onnx`);
    writeFileSync(path, encodeModel(manifest, graph));
    models[role] = { ...spec, path };
  }
  return { ...served, models };
}

/** A graph in 16-bit floats, in 32-bit floats with rounding. @param {{ nodes: any[], initializers: any[] }} graph */
function rounded({ nodes, initializers }) {
  const half = new Set(initializers.filter(({ type }) => type === 'float16').map(({ name }) => name));
  const result = [];
  const round = (node) => {
    const [output] = node.outputs;
    const cast = (from, to, type) => ({
      op: 'Cast',
      inputs: [from],
      outputs: [to],
      attributes: { to: type },
    });
    result.push(
      { ...node, outputs: [`${output}/exact`] },
      cast(`${output}/exact`, `${output}/half`, FLOAT16),
      cast(`${output}/half`, output, FLOAT),
    );
    half.add(output);
  };
  for (const node of nodes) {
    if (node.op === 'Cast') {
      if (node.attributes.to === FLOAT16) round({ ...node, attributes: { to: FLOAT } });
      else result.push(node);
    } else if (node.inputs.some((name) => half.has(name))) round(node);
    else result.push(node);
  }
  return { nodes: result, initializers: initializers.map(toFloat) };
}

/** @param {any} tensor */
function toFloat(tensor) {
  if (tensor.type !== 'float16') return tensor;
  const values = Float32Array.from(new Uint16Array(tensor.data.slice().buffer), floatOf);
  return { ...tensor, type: 'float', data: new Uint8Array(values.buffer) };
}

/** The value of a 16-bit float, finite as all weights are. @param {number} bits */
function floatOf(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) + (exponent > 0 ? 1024 : 0);
  return (bits & 0x8000 ? -1 : 1) * fraction * 2 ** (Math.max(exponent, 1) - 25);
}
