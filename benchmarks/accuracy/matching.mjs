/** Matches returned boxes to annotated points, and to the middle of the image. */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box proportions of the image */

/** @param {Box} box @param {readonly [number, number]} point in proportions of the image */
const contains = ({ left, top, width, height }, [x, y]) =>
  x >= left && x <= left + width && y >= top && y <= top + height;

/** @param {Box} box @returns {[number, number]} */
export const centerOf = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/** The face of the labeled person, who is in the middle. @template F @param {readonly F[]} faces @param {(face: F) => Box} boxOf */
export function nearestToCenter(faces, boxOf) {
  const distance = (face) => {
    const [x, y] = centerOf(boxOf(face));
    return Math.hypot(x - 0.5, y - 0.5);
  };
  return faces.filter((face) => distance(face) < 0.2).sort((a, b) => distance(a) - distance(b))[0];
}

/**
 * Gives as many points as possible a box of their own (augmenting paths), so that one large box cannot count as two faces.
 * @param {readonly (readonly [number, number])[]} points
 * @param {readonly Box[]} boxes
 * @returns {(number | undefined)[]} for every point the index of its box
 */
export function matchPoints(points, boxes) {
  const ownerOf = boxes.map(() => /** @type {number | undefined} */ (undefined));
  const place = (point, seen) => {
    for (const [i, box] of boxes.entries()) {
      if (seen.has(i) || !contains(box, points[point])) continue;
      seen.add(i);
      const owner = ownerOf[i];
      if (owner === undefined || place(owner, seen)) {
        ownerOf[i] = point;
        return true;
      }
    }
    return false;
  };
  for (const point of points.keys()) place(point, new Set());
  return points.map((_, point) => {
    const box = ownerOf.indexOf(point);
    return box < 0 ? undefined : box;
  });
}
