/** The steps of image moderation: upload, categories, decision. */

import * as styles from './drawings.module.css';
import { type Box, CropBrackets, hatch } from './parts';

export const MODERATION_DRAWINGS = {
  sentImage: SentImage,
  categoryTiles: CategoryTiles,
  ruleGate: RuleGate,
};

/** Hills under a sun: harmless content. */
function Landscape({ x, y, width, height }: Box) {
  const [right, bottom] = [x + width, y + height];
  const ridge = `M${x} ${bottom - height * 0.22}L${x + width * 0.3} ${y + height * 0.45}L${x + width * 0.52} ${
    bottom - height * 0.2
  }M${x + width * 0.42} ${bottom - height * 0.37}L${x + width * 0.68} ${y + height * 0.3}L${right} ${
    bottom - height * 0.16
  }`;
  return (
    <>
      <path className={styles.outline} d={`M${x} ${y}h${width}v${height}h${-width}z`} />
      <path className={styles.mesh} d={ridge} />
      <circle className={styles.mesh} cx={x + width * 0.22} cy={y + height * 0.25} r={height * 0.09} />
    </>
  );
}

/** An image between the braces of JSON. */
function SentImage() {
  return (
    <>
      <path
        className={styles.bracket}
        d="M46 20H36c-8 0-12 4-12 12v32c0 10-4 16-12 16c8 0 12 6 12 16v32c0 8 4 12 12 12h10"
      />
      <path
        className={styles.bracket}
        d="M194 20h10c8 0 12 4 12 12v32c0 10 4 16 12 16c-8 0-12 6-12 16v32c0 8-4 12-12 12h-10"
      />
      <Landscape x={58} y={38} width={124} height={84} />
    </>
  );
}

/** The filled proportion of each category's bar. */
const TILES = [0.12, 0.86, 0.34, 0.06];
const THRESHOLD = 0.6;

/** An image with the confidence of four categories and a threshold. */
function CategoryTiles() {
  const tiles = TILES.map((value, i) => ({ value, y: 6 + i * 39 }));
  const threshold = 136 + THRESHOLD * 96;
  return (
    <>
      <Landscape x={0} y={48} width={88} height={64} />
      <path className={styles.leader} d={tiles.map(({ y }) => `M88 80L126 ${y + 15}`).join('')} />
      {tiles.map(({ value, y }) => (
        <g key={y}>
          <path className={styles.outline} d={`M126 ${y}h114v30H126z`} />
          <path className={styles.guide} d={`M136 ${y + 15}H230`} />
          <path
            className={value > THRESHOLD ? styles.measure : styles.slight}
            d={`M136 ${y + 15}H${136 + value * 94}`}
          />
        </g>
      ))}
      <path className={styles.link} d={tiles.map(({ y }) => `M${threshold} ${y + 7}v16`).join('')} />
    </>
  );
}

/** The decisions for an image: shown, covered or rejected. */
function RuleGate() {
  const covered = { x: 170, y: 58, width: 66, height: 44 };
  return (
    <>
      <Landscape x={0} y={54} width={78} height={52} />
      <path className={styles.link} d="M78 80H104M104 80L162 26M104 80H162M104 80L162 134" />
      <circle className={styles.iris} cx={104} cy={80} r={4} />
      <Landscape x={170} y={4} width={66} height={44} />
      <path className={styles.link} d={hatch(covered, 7)} />
      <CropBrackets {...covered} arm={9} />
      <path className={styles.leader} d="M170 112h66v44h-66zM170 112l66 44M170 156l66-44" />
    </>
  );
}
