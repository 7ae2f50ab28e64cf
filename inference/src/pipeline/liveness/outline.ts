/** The part of a crop that shows a face: the inside of the convex outline of its mesh. */
import { type Affine, mapX, mapY, type Points, scaleOf } from '../image/geometry';

type Vertex = readonly [x: number, y: number];

/**
 * @param points the mesh in pixels of the image
 * @param map from the crop to the image
 * @param size side of the crop in pixels
 * @param depth how far inside the outline a pixel has to be, in pixels of the crop
 * @returns a value per pixel of the crop: 1 inside, 0 outside
 */
export function maskOf(points: Points, map: Affine, size: number, depth: number): Uint8Array {
  const vertices = outlineOf(points);
  const least = depth * scaleOf(map);
  const edges = vertices.map(([x, y], i) => {
    const [nextX, nextY] = vertices[(i + 1) % vertices.length] as Vertex;
    const length = Math.hypot(nextX - x, nextY - y);
    return { x, y, inwardX: (y - nextY) / length, inwardY: (nextX - x) / length };
  });
  return Uint8Array.from({ length: size ** 2 }, (_, i) => {
    const [column, row] = [i % size, Math.floor(i / size)];
    const [x, y] = [mapX(map, column, row), mapY(map, column, row)];
    return Number(edges.every((edge) => (x - edge.x) * edge.inwardX + (y - edge.y) * edge.inwardY >= least));
  });
}

/** The convex outline, clockwise as displayed: Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979. */
function outlineOf(points: Points): Vertex[] {
  const vertices = Array.from(
    { length: points.length / 2 },
    (_, i): Vertex => [points[2 * i] as number, points[2 * i + 1] as number],
  );
  const ascending = vertices.sort(([x, y], [otherX, otherY]) => x - otherX || y - otherY);
  return [ascending, ascending.toReversed()].flatMap((sorted) => {
    const chain: Vertex[] = [];
    for (const vertex of sorted) {
      while (chain.length > 1 && !turnsClockwise(chain.at(-2) as Vertex, chain.at(-1) as Vertex, vertex))
        chain.pop();
      chain.push(vertex);
    }
    // The other chain begins with the last vertex.
    return chain.slice(0, -1);
  });
}

const turnsClockwise = ([x0, y0]: Vertex, [x1, y1]: Vertex, [x2, y2]: Vertex): boolean =>
  (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0) > 0;
