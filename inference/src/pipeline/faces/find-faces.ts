/**
 * Finds the faces of images. A near and a thorough detector look at each image: the near one has the smaller input, and the
 * thorough one has the larger input, which also shows small faces. The near detector looks closely at candidates whose roll is
 * not reliable and at those near an edge, at most the four largest of an image. Where no face has a reliable roll, it also
 * looks at the whole image in all turns. The mesh model confirms the candidates and gives each face the same kind of box. A
 * face whose score is high enough stays even if the mesh model rejects it, as an unconfirmed face.
 */
import { isDouble } from '../image/boxes';
import type { DecodedImage } from '../image/decoded-image';
import { lookClosely } from './close-look';
import type { Face, FaceModels } from './face';
import { FaceCollection } from './face-collection';
import { type CandidatesByImage, type PlacedCandidate, runDetector } from './placed-candidates';
import { allTurns, hasDetails, isStrip, type Turn, tiles, turnedViews, type View, wholeViews } from './views';

/**
 * The thorough detector decides about faces narrower than this share of an image's longer side. Of 194 portraits upside
 * down, none with a face of up to 200 of 640 pixels had a reliable roll in it; of 240 pixels, 2 had.
 */
const maxThoroughWidth = 0.3;
/** An image with more faces than this shows a group, which may have a back row. */
const maxPortraitFaces = 2;
/** Faces narrower than this proportion of the longer side are near the limit of the thorough input, so tiles follow. */
const crowdWidth = 0.05;
/** Tiles would only enlarge existing detail in images below this size in pixels. */
const minTiledSide = 900;

/**
 * @param options.nearOnly looks only for near faces, as of a person in front of a camera.
 * @param options.withUnconfirmed also returns faces that the mesh model does not confirm. They are blurred, dark or in profile,
 *   so their embeddings are not reliable.
 * @returns the faces of each image, largest first, at most `maxFaces`.
 */
export async function findFaces(
  models: FaceModels,
  images: readonly DecodedImage[],
  { nearOnly = false, withUnconfirmed = false } = {},
): Promise<Face[][]> {
  const faces = new FaceCollection(models.mesh, images);
  const run = (detector: 'near' | 'thorough', views: readonly View[]) =>
    runDetector(models[detector], images, views);
  const whole = images.map((image, index) => wholeViews(index, image));
  const near = await run('near', whole.flat());
  if (nearOnly) {
    await lookClosely(models.near, images, near, []);
    await faces.confirm(near);
    return faces.results(withUnconfirmed);
  }
  const thorough = await run('thorough', whole.flat().filter(hasDetails));
  leaveToThorough(images, near, thorough);
  const turns = await lookClosely(models.near, images, near, thorough);
  // A strip is searched in squares, which are not turned.
  const turnedOf = (turnsOf: (index: number) => Iterable<Turn> | undefined) =>
    images.flatMap((image, index) => (isStrip(image) ? [] : turnedViews(index, image, turnsOf(index))));
  const nearTurned = await run(
    'near',
    turnedOf((index) => (hasNoUprightFace(near[index], thorough[index]) ? allTurns : turns[index])),
  );
  const thoroughTurned = await run(
    'thorough',
    turnedOf((index) => (whole[index]?.some(hasDetails) ? turns[index] : [])),
  );
  const both = (first: CandidatesByImage, second: CandidatesByImage) =>
    images.map((_, index) => [...(first[index] ?? []), ...(second[index] ?? [])]);
  await faces.confirm(both(near, nearTurned));
  await faces.confirm(both(thorough, thoroughTurned));
  const tiled = await run(
    'thorough',
    images.flatMap((image, index) => (isCrowd(image, faces.confirmed(index)) ? tiles(index, image) : [])),
  );
  await faces.confirm(tiled);
  return faces.results(withUnconfirmed);
}

/**
 * Whether no candidate of an image has a reliable roll, so that it may show a turned face. The near detector decides where
 * it sees faces, because large faces upside down score higher at the thorough one.
 */
function hasNoUprightFace(
  near: readonly PlacedCandidate[] = [],
  thorough: readonly PlacedCandidate[] = [],
): boolean {
  return !(near.length > 0 ? near : thorough).some(({ hasReliableRoll }) => hasReliableRoll);
}

/** Whether an image shows a group, which may have a back row. */
function isCrowd(image: DecodedImage, faces: readonly Face[]): boolean {
  const { longestSide } = image;
  const widths = faces.map(({ box }) => box.width / longestSide);
  return (
    !isStrip(image) &&
    longestSide >= minTiledSide &&
    widths.length > maxPortraitFaces &&
    widths.some((width) => width < crowdWidth)
  );
}

/** Removes near candidates without a reliable roll where the thorough detector, which sees small faces better, has one. */
function leaveToThorough(
  images: readonly DecodedImage[],
  near: CandidatesByImage,
  thorough: CandidatesByImage,
): void {
  for (const [index, ofNear] of near.entries()) {
    const widest = maxThoroughWidth * (images[index] as DecodedImage).longestSide;
    const reliable = (thorough[index] ?? []).filter(
      ({ hasReliableRoll, width }) => hasReliableRoll && width < widest,
    );
    near[index] = ofNear?.filter(
      (candidate) => candidate.hasReliableRoll || !reliable.some((other) => isDouble(candidate, other)),
    );
  }
}
