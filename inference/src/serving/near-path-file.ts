/** The file of the near path, which depends on the models that serve. */
import { basename } from 'node:path';
import type { ModelSpec } from '../backends/backend';
import { nearPathFile } from '../catalogue/compiled-path';
import type { AlignmentTemplate } from '../catalogue/manifest-parts';

/** @returns its path; undefined where a detector is not YuNet. */
export function nearPathOf(
  models: Readonly<Record<string, ModelSpec>>,
  alignments: readonly AlignmentTemplate[],
  cache: string,
): string | undefined {
  const roles = ['near', 'thorough', 'mesh', 'embedding'];
  const files = roles.map((role) => basename(models[role]?.path ?? ''));
  const decodings = [models.near?.decoding, models.thorough?.decoding];
  if (decodings.some((decoding) => decoding?.kind !== 'yunet')) return undefined;
  return nearPathFile({ files, decodings, alignments }, cache);
}
