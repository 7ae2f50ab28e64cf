import { encode } from 'uqr';
import { svg } from './dom';

/** Modules of the quiet zone around the code (ISO/IEC 18004). */
const BORDER = 4;

/** A QR code in black on white in every color scheme, because many readers accept nothing else. */
export function qrCode(text: string, label: string): SVGElement {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  return svg(
    'svg',
    {
      viewBox: `0 0 ${size} ${size}`,
      role: 'img',
      'aria-label': label,
      'shape-rendering': 'crispEdges',
    },
    svg('path', { fill: '#fff', d: `M0 0h${size}v${size}H0z` }),
    svg('path', { fill: '#000', d: data.map(pathOf).join('') }),
  );
}

/** One rectangle for each dark module. */
const pathOf = (row: readonly boolean[], y: number) =>
  row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('');
