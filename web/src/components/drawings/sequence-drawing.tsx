import { useFacts } from '../mdx/use-facts';
import * as styles from './sequence-drawing.module.css';

/** Where the lines of app, backend and service run, in drawing units. */
const LANES = [52, 180, 308] as const;
const HEAD = { top: 14, width: 92, height: 34 };
const FIRST_STEP = 84;
const STEP = 38;
/** From which lane to which, in the order in which things happen; answers are dashed. */
const STEPS = [
  { from: 0, to: 1 },
  { from: 1, to: 2 },
  { from: 2, to: 1, isAnswer: true },
  { from: 1, to: 0, isAnswer: true },
  { from: 0, to: 2 },
  { from: 2, to: 1 },
  { from: 1, to: 0 },
] as const;

interface SequenceDrawingProps {
  /** The drawing in words. */
  label: string;
  app: string;
  backend: string;
  /** What is said at each step, in order. */
  steps: readonly string[];
}

/** Who calls whom in a liveness check: app, backend and service, and that the key stays in the middle. */
export function SequenceDrawing({ label, app, backend, steps }: SequenceDrawingProps) {
  const { brand } = useFacts();
  const bottom = FIRST_STEP + STEPS.length * STEP;
  return (
    <svg className={styles.drawing} viewBox={`0 0 360 ${bottom + 8}`} role="img" aria-label={label}>
      {[app, backend, brand].map((name, lane) => (
        <g key={name}>
          <path className={styles.lane} d={`M${LANES[lane]} ${HEAD.top + HEAD.height}V${bottom}`} />
          <Head x={LANES[lane] as number} name={name ?? ''} hasKey={lane === 1} />
        </g>
      ))}
      {STEPS.map((step, position) => (
        <Arrow
          key={steps[position]}
          {...step}
          y={FIRST_STEP + position * STEP}
          text={steps[position] ?? ''}
        />
      ))}
    </svg>
  );
}

/** The name of a lane, in a box; that of the backend has the crop brackets, and the key. */
function Head({ x, name, hasKey }: { x: number; name: string; hasKey: boolean }) {
  const left = x - HEAD.width / 2;
  const { top, width, height } = HEAD;
  return (
    <>
      <rect className={styles.box} x={left} y={top} width={width} height={height} />
      {hasKey && (
        <path
          className={styles.bracket}
          d={`M${left - 4} ${top + 6}v-10h10M${left + width - 6} ${top - 4}h10v10M${left + width + 4} ${top + height - 6}v10h-10M${left + 6} ${top + height + 4}h-10v-10`}
        />
      )}
      <text className={styles.name} x={x} y={top + height / 2 + 4}>
        {name}
      </text>
    </>
  );
}

interface ArrowProps {
  from: number;
  to: number;
  isAnswer?: boolean;
  y: number;
  text: string;
}

function Arrow({ from, to, isAnswer = false, y, text }: ArrowProps) {
  const [start, end] = [LANES[from] as number, LANES[to] as number];
  const back = start < end ? -6 : 6;
  // Beside the lane it crosses, so that the line does not run through the words.
  const middle = Math.abs(to - from) > 1 ? (start + (LANES[1] as number)) / 2 : (start + end) / 2;
  return (
    <>
      <text className={styles.step} x={middle} y={y - 6}>
        {text}
      </text>
      <path className={isAnswer ? styles.answer : undefined} d={`M${start} ${y}H${end}`} />
      <path className={styles.tip} d={`M${end + back} ${y - 3.5}L${end} ${y}L${end + back} ${y + 3.5}`} />
    </>
  );
}
