import type { Face } from './face';

/**
 * The largest face of an image if the mesh model confirms it. A smaller face never takes its place, because it may be of
 * another person: a bystander, or the portrait on a document.
 * @param faces all faces of the image, largest first, also those that are not confirmed.
 */
export function confirmedLargest([largest]: readonly Face[]): Face | undefined {
  return largest?.isConfirmed ? largest : undefined;
}
