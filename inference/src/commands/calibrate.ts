/** `models calibrate`: measures an embedding on images of known people, and writes its calibration. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Calibrated, calibrate, type MeasuredRate } from '../calibration/calibrate';
import { compiledPath } from '../catalogue/compiled-path';
import { type ModelManifest, manifestText, parseManifest, readCatalogue } from '../catalogue/manifest';
import type { Calibration } from '../catalogue/manifest-parts';
import { ensureCompiled } from '../compiler/compile';
import { defaultModels } from '../serving/serving-models';
import { columns } from './columns';
import { printImages, progressOf } from './progress';

export interface CalibrateModel {
  readonly manifest: ModelManifest;
  readonly cache: string;
  /** Contains a folder of images for each person. */
  readonly people: string;
}

/** Compiles the model if necessary, and prints the errors at each threshold to stderr. */
export async function calibrateModel({ manifest, cache, people }: CalibrateModel): Promise<Calibrated> {
  await ensureCompiled(manifest, cache, { onProgress: progressOf(manifest.id) });
  const finders = await findersIn(cache);
  const measured = await calibrate({ manifest, finders, cache, folder: people, onProgress: printImages });
  console.error(
    `${measured.images} faces of ${measured.people} people, ${measured.leftOut} images without one left out`,
  );
  console.error(columns(rateTable(measured)).join('\n'));
  return measured;
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

/** Sets the calibration of a manifest. Fields with a former name get their present one. */
export async function writeCalibration(path: string, calibration: Calibration): Promise<void> {
  const manifest = parseManifest(await readFile(path, 'utf8'), basename(path)) as object;
  await writeFile(path, `${manifestText({ ...manifest, calibration })}\n`);
}
