/** `models calibrate`: measures embeddings on images of known people, and writes their calibration. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Calibrated, calibrate, type MeasuredRate } from '../calibration/calibrate';
import { compiledPath } from '../catalogue/compiled-path';
import { isFusion, readFusion } from '../catalogue/fusion';
import { type ModelManifest, manifestText, readCatalogue } from '../catalogue/manifest';
import { ensureCompiled } from '../compiler/compile';
import { defaultModels } from '../serving/serving-models';
import { columns } from './columns';
import { printImages, progressOf } from './progress';

export interface CalibrateModels {
  /** Id of the model or the fusion. */
  readonly id: string;
  /** The model, or the models of the fusion in their order. */
  readonly manifests: readonly ModelManifest[];
  readonly cache: string;
  readonly ownFolder: string | undefined;
  /** Contains a folder of images for each person. */
  readonly people: string;
}

/**
 * Compiles the models if necessary, and prints the errors at each threshold to stderr.
 * @returns the measurement, and the fields that it gives the manifest or the file of the fusion.
 */
export async function calibrateModels({ id, manifests, cache, ownFolder, people }: CalibrateModels) {
  for (const manifest of manifests)
    await ensureCompiled(manifest, cache, { onProgress: progressOf(manifest.id) });
  const fusion = isFusion(id) ? await readFusion(id, ownFolder) : undefined;
  const finders = await findersIn(cache);
  const measured = await calibrate({
    manifests,
    fusion,
    finders,
    cache,
    folder: people,
    onProgress: printImages,
  });
  console.error(
    `${measured.images} faces of ${measured.people} people, ${measured.leftOut} images without one left out`,
  );
  console.error(columns(rateTable(measured)).join('\n'));
  const { calibration, weights } = measured;
  const parts = weights.map((weight, i) => ({ ...fusion?.parts[i], weight }));
  return { measured, fields: isFusion(id) ? { parts, calibration } : { calibration } };
}

/** The default models that find faces, compiled. */
async function findersIn(cache: string) {
  const catalogue = await readCatalogue();
  const finder = async (role: 'near' | 'thorough' | 'mesh') => {
    const manifest = catalogue.find(({ id }) => id === defaultModels[role]) as ModelManifest;
    await ensureCompiled(manifest, cache);
    return { ...manifest, path: compiledPath(manifest, cache) };
  };
  return { near: await finder('near'), thorough: await finder('thorough'), mesh: await finder('mesh') };
}

function rateTable({ rates }: Calibrated): string[][] {
  const number = (rate: number) => rate.toExponential(1);
  const row = ({ similarity, falseMatch, interval, falseNonMatch }: MeasuredRate) => [
    String(similarity),
    number(falseMatch),
    interval.map(number).join(' to '),
    falseNonMatch === undefined ? 'no two images of one person' : `${(100 * falseNonMatch).toFixed(2)} %`,
  ];
  return [['SIMILARITY', 'FALSE MATCHES', '95 % INTERVAL', 'FALSE NON-MATCHES'], ...rates.map(row)];
}

/** Sets fields of a manifest or a file of a fusion, which is created if it is missing. */
export async function writeFields(path: string, fields: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  await writeFile(path, `${manifestText({ ...JSON.parse(before), ...fields })}\n`);
}
