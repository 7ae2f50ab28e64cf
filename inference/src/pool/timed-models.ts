/** Measures when the models of one task run, and for how long. */
import type { Model } from '../backends/backend';
import type { Models } from '../pipeline/operations';

export interface ModelTimes {
  /** Milliseconds by role. */
  readonly modelMs: Record<string, number>;
  /** When the first run began, on the clock of `performance.now()`. */
  firstRun?: number;
}

/** The same models, whose runs add their durations to `times`. */
export function timedModels(models: Models, times: ModelTimes): Models {
  return Object.fromEntries(
    Object.entries(models).map(([role, model]) => [role, timed(model, role, times)]),
  ) as unknown as Models;
}

function timed(model: Model, role: string, times: ModelTimes): Model {
  const { modelMs } = times;
  return {
    spec: model.spec,
    close: () => model.close(),
    async run(pixels, batch) {
      const begin = performance.now();
      times.firstRun ??= begin;
      try {
        return await model.run(pixels, batch);
      } finally {
        modelMs[role] = (modelMs[role] ?? 0) + performance.now() - begin;
      }
    },
  };
}
