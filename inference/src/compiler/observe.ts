/** Measures the values inside a running model, which its quantization needs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedModel } from '../backends/backend';
import { OnnxBackend } from '../backends/onnx';
import type { ModelManifest } from '../catalogue/manifest';
import { compileGraph, encodeModel } from './compile';
import { quantizedValues } from './quantize';

/** A model that records the least and the greatest value of each quantized activation. */
export interface ObservedModel extends LoadedModel {
  /** Ranges over all runs, in the order of the manifest. */
  readonly ranges: readonly (readonly [number, number])[];
}

export async function observe(manifest: ModelManifest): Promise<ObservedModel> {
  const graph = await compileGraph(manifest);
  const names = quantizedValues(graph, manifest.quantization?.operations);
  const folder = await mkdtemp(join(tmpdir(), 'presenza-'));
  const path = join(folder, 'observed.onnx');
  await writeFile(path, encodeModel(manifest, graph, names));
  const model = await new OnnxBackend().load({ ...manifest, path });
  await rm(folder, { recursive: true });
  const ranges = names.map((): [number, number] => [Infinity, -Infinity]);
  return {
    spec: model.spec,
    ranges,
    close: () => model.close(),
    async run(pixels, batch) {
      const outputs = await model.run(pixels, batch);
      names.forEach((name, i) => {
        const range = ranges[i] as [number, number];
        for (const value of outputs[name] as Float32Array) {
          if (value < range[0]) range[0] = value;
          if (value > range[1]) range[1] = value;
        }
      });
      return outputs;
    },
  };
}
