/** Which returned boxes are the faces that are known to be there. */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box proportions of the picture */

/** @param {Box} box @param {[number, number]} point in proportions of the picture */
export const holds = ({ left, top, width, height }, [x, y]) =>
  x >= left && x <= left + width && y >= top && y <= top + height;

/** @param {Box} box @returns {[number, number]} */
export const centreOf = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/**
 * Gives every point a box of its own, as many as possible (augmenting paths), so that one large box cannot stand for
 * two faces.
 * @param {readonly [number, number][]} points
 * @param {readonly Box[]} boxes
 * @returns {(number | undefined)[]} for every point the index of its box
 */
export function matchPoints(points, boxes) {
  /** @type {(number | undefined)[]} */
  const ownerOf = boxes.map(() => undefined);
  /** @param {number} point @param {Set<number>} seen @returns {boolean} */
  const place = (point, seen) => {
    for (const [i, box] of boxes.entries()) {
      if (seen.has(i) || !holds(box, points[point])) continue;
      seen.add(i);
      const owner = ownerOf[i];
      if (owner === undefined || place(owner, seen)) {
        ownerOf[i] = point;
        return true;
      }
    }
    return false;
  };
  points.forEach((_, point) => {
    place(point, new Set());
  });
  return points.map((_, point) => {
    const box = ownerOf.indexOf(point);
    return box < 0 ? undefined : box;
  });
}
