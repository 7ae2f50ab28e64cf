/** Abstract drawings of content categories. */

import * as styles from './drawings.module.css';
import { CropBrackets, Face, hatch } from './parts';

export const CATEGORY_DRAWINGS = {
  explicit: Explicit,
  violence: Violence,
  suggestive: Suggestive,
  custom: Custom,
};

const IMAGE = { x: 2, y: 4, width: 236, height: 152 };

function Explicit() {
  return (
    <>
      <path className={styles.link} d={hatch(IMAGE, 12)} />
      <CropBrackets {...IMAGE} arm={16} />
    </>
  );
}

/** A half-covered person. */
function Suggestive() {
  const cover = { x: 2, y: 92, width: 236, height: 64 };
  return (
    <>
      <Face x={120} y={72} scale={44} detail="mesh" />
      <rect className={styles.chip} {...cover} />
      <path className={styles.link} d={hatch(cover, 12)} />
      <CropBrackets {...IMAGE} arm={16} />
    </>
  );
}

/** A knife, scissors and a bat, each in the bounding box of a detected object. */
function Violence() {
  return (
    <>
      <path
        className={styles.outline}
        d="M52 24c12 20 13 46 8 66h-8zM50 90h12v40c0 4-12 4-12 0zM118 30l-14 62M106 30l14 62"
      />
      <path
        className={styles.outline}
        d="M104 92c-12 2-16 34-4 36s12-26 8-36M120 92c12 2 16 34 4 36s-12-26-8-36"
      />
      <path
        className={styles.outline}
        d="M176 24c8-4 16 0 16 10c0 24-8 52-10 88h-8c-2-36-8-64-6-88c0-6 4-8 8-10zM172 128h12"
      />
      <CropBrackets x={36} y={14} width={40} height={128} arm={9} />
      <CropBrackets x={86} y={20} width={52} height={118} arm={9} />
      <CropBrackets x={156} y={12} width={48} height={126} arm={9} />
    </>
  );
}

const EXAMPLES = [10, 38, 66, 94, 122];

/** Examples that converge in one point: the service stores only their mean. */
function Custom() {
  return (
    <>
      <path className={styles.outline} d={EXAMPLES.map((y) => `M24 ${y}h34v24H24z`).join('')} />
      <path className={styles.mesh} d={EXAMPLES.map((y) => `M24 ${y + 18}l10-9l8 7l6-5l10 8`).join('')} />
      <path className={styles.leader} d={EXAMPLES.map((y) => `M62 ${y + 12}L172 78`).join('')} />
      <circle className={styles.iris} cx={174} cy={78} r={5} />
      <CropBrackets x={150} y={54} width={48} height={48} arm={11} />
    </>
  );
}
