/** Measures the time that the models of one task take. */
import type { Model } from '../backends/backend';
import type { Models } from '../pipeline/operations';

/** The same models; what their runs take is added to `modelMs`, in milliseconds by role. */
export function timedModels(models: Models, modelMs: Record<string, number>): Models {
  return Object.fromEntries(
    Object.entries(models).map(([role, model]) => [role, timed(model, role, modelMs)]),
  ) as unknown as Models;
}

function timed(model: Model, role: string, modelMs: Record<string, number>): Model {
  return {
    spec: model.spec,
    close: () => model.close(),
    async run(pixels, batch) {
      const begin = performance.now();
      try {
        return await model.run(pixels, batch);
      } finally {
        modelMs[role] = (modelMs[role] ?? 0) + performance.now() - begin;
      }
    },
  };
}
