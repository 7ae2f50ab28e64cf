/**
 * A face mesh for tests, of which only the outline, the middle of the forehead's edge and the chin matter.
 * @param {{ center: [number, number], radii: [number, number], forehead: [number, number], chin: [number, number] }} oval in
 *   pixels
 * @returns {[x: number, y: number][]}
 */
export function ovalMesh({ center, radii, forehead, chin }) {
  const points = Array.from({ length: 468 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 468;
    return /** @type {[number, number]} */ ([
      center[0] + radii[0] * Math.cos(angle),
      center[1] + radii[1] * Math.sin(angle),
    ]);
  });
  points[10] = forehead;
  points[152] = chin;
  return points;
}
