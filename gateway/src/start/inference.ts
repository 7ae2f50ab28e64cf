import type { Logger } from 'pino';
import { warnOnce } from '../observability/warn-once';
import { HttpInferenceClient } from '../services/inference/inference-client';
import type { DependencyObserver } from '../services/timing/dependency';

/** Connects to the inference tier, and warns once when an upgrade leaves the two sides with incompatible versions. */
export function connectInference(
  url: string,
  observe: DependencyObserver,
  logger: Pick<Logger, 'warn' | 'debug'>,
): HttpInferenceClient {
  const warning = warnOnce(logger, 'the inference tier is incompatible');
  return new HttpInferenceClient(url, observe, (problem) =>
    problem === undefined ? warning.recovered() : warning.failed(new Error(problem)),
  );
}
