/** `npm run models -- calibrate`: embeds images of known people, and fits the calibration of their distances. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledPath } from '../catalogue/compiled-path';
import type { ModelManifest } from '../catalogue/manifest';
import type { Calibration } from '../catalogue/manifest-parts';
import { embedFaces } from '../pipeline/faces/embed';
import { checkFit } from '../serving/model-roles';
import type { ServingModels } from '../serving/serving-models';
import { fitCalibration } from './curve';
import { type Embedded, type Pairs, pairsOf } from './distances';
import { closeModels, facesOf, loadModels } from './faces-of';
import { matchRateInterval } from './intervals';

/** More would take gigabytes of distances and add no information. */
const maxImages = 5000;

export interface CalibrateOptions {
  /** The embedding model. Its own calibration is ignored. */
  readonly manifest: ModelManifest;
  /** The models that find the faces. */
  readonly finders: Pick<ServingModels['models'], 'near' | 'thorough' | 'mesh'>;
  readonly cache: string;
  /** Contains a folder of images for each person. */
  readonly folder: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Calibrated {
  readonly calibration: Calibration;
  readonly rates: readonly MeasuredRate[];
  readonly people: number;
  readonly images: number;
  /** Pairs of images of one person. */
  readonly genuine: number;
  /** Pairs of images of different people. */
  readonly impostors: number;
  /** Images left out: no face, or not an image. */
  readonly leftOut: number;
}

/** Errors at one similarity of the calibration. */
export interface MeasuredRate {
  readonly similarity: number;
  /** Proportion of the pairs of different people that match, and its 95 % interval. */
  readonly falseMatch: number;
  readonly interval: readonly [number, number];
  /** Proportion of the pairs of one person that do not match; undefined without such pairs. */
  readonly falseNonMatch: number | undefined;
}

/** @throws Error, one sentence, if the model or the images are not suitable. */
export async function calibrate(options: CalibrateOptions): Promise<Calibrated> {
  const { manifest, finders, cache, folder, onProgress } = options;
  checkFit('embedding', manifest);
  const { alignments = [] } = manifest;
  const images = await listImages(folder);
  const models = await loadModels({
    ...finders,
    embedding: { ...manifest, path: compiledPath(manifest, cache) },
  });
  const embedded: Embedded[] = [];
  try {
    for (const [i, { person, path }] of images.entries()) {
      const [largest] = (await facesOf(models, path)) ?? [];
      const reliable = largest?.face.isConfirmed ? [largest] : [];
      const [measured] = await embedFaces({ model: models.embedding, alignments }, reliable);
      if (measured) embedded.push({ person, embedding: measured.embedding });
      onProgress?.(i + 1, images.length);
    }
  } finally {
    await closeModels(models);
  }
  const pairs = pairsOf(embedded);
  const { distances } = pairs;
  const genuine = pairs.same.reduce((sum, isSame) => sum + isSame, 0);
  const calibration = fitCalibration({
    same: distances.filter((_, pair) => pairs.same[pair] === 1),
    different: distances.filter((_, pair) => pairs.same[pair] === 0),
  });
  return {
    calibration,
    rates: ratesOf(calibration, { ...pairs, genuine }),
    people: new Set(embedded.map(({ person }) => person)).size,
    images: embedded.length,
    genuine,
    impostors: distances.length - genuine,
    leftOut: images.length - embedded.length,
  };
}

/** The errors at every similarity of the curve between 1 and 0.5. */
function ratesOf(
  { curve }: Calibration,
  { people, same, distances, genuine }: Pairs & Pick<Calibrated, 'genuine'>,
): MeasuredRate[] {
  const reported = curve.filter(([, similarity]) => similarity < 1 && similarity >= 0.5);
  return reported.map(([limit, similarity]) => {
    const matches: [number, number][] = [];
    let missed = 0;
    let pair = 0;
    for (let i = 0; i < people.length; i++) {
      for (let j = i + 1; j < people.length; j++, pair++) {
        const matching = (distances[pair] as number) <= limit;
        if (same[pair] === 1) missed += Number(!matching);
        else if (matching) matches.push([i, j]);
      }
    }
    return {
      similarity,
      falseMatch: matches.length / (distances.length - genuine),
      interval: matchRateInterval(people, matches),
      falseNonMatch: genuine > 0 ? missed / genuine : undefined,
    };
  });
}

async function listImages(folder: string): Promise<{ person: string; path: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} cannot be read (${error.code})`);
  });
  const people = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (people.length === 0) throw new Error(`${folder} must contain a folder of images for each person`);
  const images = await Promise.all(
    people.map(async (person) => {
      const files = await readdir(join(folder, person), { withFileTypes: true });
      return files
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => ({ person, path: join(folder, person, name) }));
    }),
  );
  const all = images.flat();
  if (all.length > maxImages) throw new Error(`${folder} holds more than ${maxImages} images`);
  return all;
}
