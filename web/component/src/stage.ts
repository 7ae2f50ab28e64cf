/** The mirrored preview with a veil around the oval, and the instruction drawn around it. */

import { brackets } from './brackets';
import type { Camera } from './camera';
import { h, setAttributes, svg } from './dom';
import type { Movement } from './wire';

/** The image and the oval for the face, in drawing units. */
const SHAPES = {
  tall: { width: 300, height: 400, cx: 150, cy: 194, rx: 92, ry: 124 },
  wide: { width: 400, height: 300, cx: 200, cy: 148, rx: 82, ry: 110 },
};

type Shape = (typeof SHAPES)['tall'];

export interface Stage {
  element: HTMLElement;
  video: HTMLVideoElement;
  /** @param progress of the attempt, 0 to 1 */
  update(movement: Movement | null, progress: number): void;
  dispose(): void;
}

/** Crops wide images in tall windows, since the face is in the center. */
const PORTRAIT = '(orientation: portrait)';

/** @param label of the preview for screen readers */
export function createStage({ stream }: Camera, label: string): Stage {
  const video = h('video', { class: 'video', 'aria-label': label, autoplay: true, playsinline: true });
  // The attribute `muted` would only apply to parsed HTML.
  video.muted = true;
  const veil = svg('path', { class: 'veil', 'fill-rule': 'evenodd' });
  const track = svg('path', { class: 'track' });
  const ring = svg('path', { class: 'ring', pathLength: 1, 'stroke-dasharray': '1 1' });
  const frame = svg('g');
  const arrow = svg('g');
  const overlay = svg('svg', { class: 'overlay', 'aria-hidden': 'true' }, veil, track, ring, frame, arrow);
  const element = h('div', { class: 'stage' }, video, overlay);
  const portrait = window.matchMedia(PORTRAIT);
  let shown: Movement | null = null;
  let shape = SHAPES.tall;

  function layOut() {
    const name = video.videoWidth > video.videoHeight && !portrait.matches ? 'wide' : 'tall';
    shape = SHAPES[name];
    setAttributes(element, { 'data-shape': name });
    setAttributes(overlay, { viewBox: `0 0 ${shape.width} ${shape.height}` });
    setAttributes(veil, { d: veilAround(shape) });
    for (const path of [track, ring]) setAttributes(path, { d: oval(shape) });
    frame.textContent = '';
    frame.append(brackets({ ...around(shape), arm: 24 }));
    drawArrow();
  }

  /** A new element for each movement, so that its animation starts anew. */
  function drawArrow() {
    arrow.textContent = '';
    if (!shown || shown === 'centre') return;
    const path = svg('path', { d: chevrons(shape, shown) });
    arrow.append(svg('g', { class: 'arrow', 'data-movement': shown }, path));
  }

  layOut();
  video.addEventListener('loadedmetadata', layOut);
  // addEventListener came to Safari with version 14.
  portrait.addListener(layOut);
  video.srcObject = stream;

  return {
    element,
    video,
    update(movement, progress) {
      setAttributes(ring, { 'stroke-dashoffset': 1 - progress });
      if (movement === shown) return;
      shown = movement;
      drawArrow();
    },
    dispose() {
      portrait.removeListener(layOut);
      video.srcObject = null;
    },
  };
}

/** An ellipse, clockwise from the top. */
const oval = ({ cx, cy, rx, ry }: Shape) =>
  `M${cx} ${cy - ry}a${rx} ${ry} 0 0 1 0 ${2 * ry}a${rx} ${ry} 0 0 1 0 ${-2 * ry}`;

const veilAround = (shape: Shape) => `M-2-2H${shape.width + 2}V${shape.height + 2}H-2Z${oval(shape)}Z`;

const around = ({ cx, cy, rx, ry }: Shape) => ({
  x: cx - rx - 16,
  y: cy - ry - 16,
  width: 2 * rx + 32,
  height: 2 * ry + 32,
});

const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;

/** Two chevrons beside the oval. In the mirrored preview the person's left is on the left. */
function chevrons({ cx, cy, rx, ry }: Shape, movement: Exclude<Movement, 'centre'>): string {
  const [x, y] = DIRECTIONS[movement];
  return [16, 30]
    .map((away) => {
      const tip = { x: cx + x * (rx + away), y: cy + y * (ry + away) };
      const back = { x: tip.x - x * 10, y: tip.y - y * 10 };
      // The arms are perpendicular to the direction.
      return `M${back.x + y * 16} ${back.y + x * 16}L${tip.x} ${tip.y}L${back.x - y * 16} ${back.y - x * 16}`;
    })
    .join('');
}
