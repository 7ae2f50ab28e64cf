import * as styles from './drawings.module.css';
import { CropBrackets, Face } from './parts';

/** The drawings of articles, by `thumbnail` in their frontmatter. */
const DRAWINGS: Record<string, () => React.JSX.Element> = {
  'hand-over': HandOver,
  meter: Meter,
};

/** The decoration of an article. An unknown name fails the build. */
export function ArticleDrawing({ name }: { name: string }) {
  const Drawing = DRAWINGS[name];
  if (!Drawing) throw new Error(`No drawing is named ${name}.`);
  return (
    <svg className={styles.drawing} viewBox="0 0 320 180" aria-hidden="true">
      <Drawing />
    </svg>
  );
}

/** The way from an app to the camera page and back. */
function HandOver() {
  return (
    <>
      <Phone x={4} />
      <path d="M16 128h40" className={styles.bracket} />
      <path className={styles.guide} d="M16 56h40M16 66h28M16 76h34" />
      <path className={styles.leader} d="M76 90h32M214 90h30" />
      <path className={styles.link} d="M104 85l6 5l-6 5M240 85l6 5l-6 5" />
      <rect className={styles.feature} x={118} y={22} width={88} height={136} rx={2} />
      <path className={styles.guide} d="M118 36h88M126 29h2M132 29h2M138 29h2" />
      <Face x={162} y={98} scale={30} detail="mesh" />
      <CropBrackets x={128} y={50} width={68} height={96} arm={12} />
      <Phone x={252} />
      <path className={styles.guide} d="M264 56h40M264 66h28" />
      <path className={styles.bracket} d="M270 104l10 10l20 -22" />
    </>
  );
}

/** A phone in portrait orientation, 64 wide and 132 high. */
function Phone({ x }: { x: number }) {
  return (
    <>
      <rect className={styles.feature} x={x} y={24} width={64} height={132} rx={6} />
      <path className={styles.guide} d={`M${x + 24} 34h16`} />
    </>
  );
}

const DAYS = [12, 20, 27, 33, 44, 50, 61, 70, 78, 90, 97, 108, 116, 128];
const QUOTA = 96;
const BASE = 160;

/** The units of a month and their overage. */
function Meter() {
  return (
    <>
      <path className={styles.guide} d={`M10 ${BASE}H310M10 ${BASE}V20${ticks()}`} />
      {DAYS.map((units, day) => {
        const x = 26 + day * 20;
        const within = Math.min(units, QUOTA);
        return (
          <g key={units}>
            <path className={styles.feature} d={`M${x} ${BASE}v${-within}h10v${within}`} />
            {units > QUOTA && <path className={styles.link} d={overage(x, units - QUOTA)} />}
          </g>
        );
      })}
      <path className={styles.leader} d={`M10 ${BASE - QUOTA}H310`} />
      <CropBrackets x={200} y={22} width={106} height={BASE - QUOTA - 14} arm={10} />
    </>
  );
}

/** Marks along the vertical axis. */
const ticks = () => Array.from({ length: 7 }, (_, i) => `M10 ${BASE - (i + 1) * 20}h-5`).join('');

/** The part of a bar above the quota, hatched. */
function overage(x: number, height: number) {
  const top = BASE - QUOTA - height;
  const hatch = Array.from({ length: Math.floor(height / 4) }, (_, i) => `M${x} ${top + 4 + i * 4}l10 -4`);
  return `M${x} ${top + height}v${-height}h10v${height}${hatch.join('')}`;
}
