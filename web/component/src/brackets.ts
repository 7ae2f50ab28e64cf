import { svg } from './dom';

/** The corners of a crop. `arm` is the length of each arm, in drawing units. */
export function brackets({
  x,
  y,
  width,
  height,
  arm,
}: Record<'x' | 'y' | 'width' | 'height' | 'arm', number>) {
  const [right, bottom] = [x + width, y + height];
  const corners = [
    `M${x} ${y + arm}V${y}H${x + arm}`,
    `M${right - arm} ${y}H${right}V${y + arm}`,
    `M${right} ${bottom - arm}V${bottom}H${right - arm}`,
    `M${x + arm} ${bottom}H${x}V${bottom - arm}`,
  ];
  return svg('path', { class: 'bracket', d: corners.join('') });
}
