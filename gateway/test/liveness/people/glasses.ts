/** Draws glasses onto the photograph of a head. */

import { drawnOver } from './image';
import type { Person } from './people';

/** Outer and inner corner of each eye, and the bridge of the nose between them. */
const eyes = [
  [33, 133],
  [263, 362],
] as const;

export async function withGlasses(person: Person): Promise<Person> {
  const { uv, texture } = person.head;
  const at = (i: number) => [uv[2 * i] as number, uv[2 * i + 1] as number] as const;
  const lenses = eyes.map(([outer, inner]) => {
    const [[x0, y0], [x1, y1]] = [at(outer), at(inner)];
    const half = 0.85 * Math.hypot(x1 - x0, y1 - y0);
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 + 0.15 * half, half };
  });
  const rims = lenses.map(
    ({ x, y, half }) =>
      `<rect x="${x - half}" y="${y - 0.75 * half}" width="${2 * half}" height="${1.5 * half}" rx="${0.5 * half}"/>`,
  );
  const [right, left] = lenses as [(typeof lenses)[number], (typeof lenses)[number]];
  const bridge = `<path d="M${right.x + right.half} ${right.y}L${left.x - left.half} ${left.y}"/>`;
  const width = 0.12 * right.half;
  const body = `<g fill="#fff" fill-opacity="0.06" stroke="#1c1a18" stroke-width="${width}">${rims.join('')}${bridge}</g>`;
  return { ...person, head: { ...person.head, texture: await drawnOver(texture, body) } };
}
