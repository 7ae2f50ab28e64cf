/** Path data of diagonal lines that fill a box, `step` apart along its edges. */
export function hatch(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  step: number,
) {
  const lines: string[] = [];
  for (let offset = step; offset < width + height; offset += step) {
    const fromX = Math.min(offset, width);
    const toY = Math.min(offset, height);
    lines.push(`M${x + fromX} ${y + offset - fromX}L${x + offset - toY} ${y + toY}`);
  }
  return lines.join('');
}
