import * as drawings from '../../drawings/drawings.module.css';
import { CropBrackets, Face } from '../../drawings/parts';
import * as styles from './mockups.module.css';
import { Bust, boxIn, poseIn, type ResponseFace, type Square } from './person';

const IMAGE: Square = { x: 48, y: 44, size: 348 };
/** Positions of the dimension lines: above the image, and left of it. */
const TOP = 22;
const LEFT = 24;

/** A face in its bounding box of the response, with the box's dimensions along the edges. */
export function DetectionMockup({ faces, label }: { faces: readonly ResponseFace[]; label: string }) {
  const [face] = faces;
  if (!face) return null;
  const { x, y, size } = IMAGE;
  const box = boxIn(face, IMAGE);
  const pose = poseIn(face, IMAGE);
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const { left, top, width, height } = face.boundingBox;
  return (
    <svg className={drawings.drawing} viewBox="0 0 400 400" role="img" aria-label={label}>
      <clipPath id="detection-image">
        <rect x={x} y={y} width={size} height={size} />
      </clipPath>
      <g clipPath="url(#detection-image)">
        <Bust pose={pose} className={styles.bust} />
      </g>
      <rect className={drawings.guide} x={x} y={y} width={size} height={size} />
      <path
        className={styles.extension}
        d={`M${box.x} ${TOP}V${box.y}M${right} ${TOP}V${box.y}M${LEFT} ${box.y}H${box.x}M${LEFT} ${bottom}H${box.x}`}
      />
      <path className={drawings.tick} d={across([x, box.x, right], TOP) + down([y, box.y, bottom], LEFT)} />
      <Face {...pose} />
      <CropBrackets {...box} arm={26} />
      <text className={styles.text} x={(x + box.x) / 2} y={TOP - 7} textAnchor="middle">
        {left}
      </text>
      <text className={styles.text} x={(box.x + right) / 2} y={TOP - 7} textAnchor="middle">
        {width}
      </text>
      <Upright x={LEFT - 8} y={(y + box.y) / 2} value={top} />
      <Upright x={LEFT - 8} y={(box.y + bottom) / 2} value={height} />
    </svg>
  );
}

/** A rotated number beside a vertical dimension line. */
function Upright({ x, y, value }: { x: number; y: number; value: number }) {
  return (
    <text className={styles.text} transform={`translate(${x} ${y}) rotate(-90)`} textAnchor="middle">
      {value}
    </text>
  );
}

/** A dimension line with a slanted tick at each stop. */
const across = (stops: number[], y: number) =>
  `M${stops[0]} ${y}H${stops.at(-1)}${stops.map((x) => `M${x - 4} ${y + 4}l8 -8`).join('')}`;

const down = (stops: number[], x: number) =>
  `M${x} ${stops[0]}V${stops.at(-1)}${stops.map((y) => `M${x - 4} ${y + 4}l8 -8`).join('')}`;
