import { useFacts } from '../mdx/use-facts';
import * as styles from './sequence-drawing.module.css';

/** Horizontal positions of app, backend and service, in drawing units. */
const LANES = [52, 180, 308] as const;
const HEAD = { top: 14, width: 96, height: 34 };
const FIRST_STEP = 84;
const STEP = 38;
/** The messages in order, with the lanes of sender and receiver; responses are dashed. */
const STEPS = [
  { from: 0, to: 1 },
  { from: 1, to: 2 },
  { from: 2, to: 1, isResponse: true },
  { from: 1, to: 0, isResponse: true },
  { from: 0, to: 2 },
  { from: 2, to: 1 },
  { from: 1, to: 0 },
] as const;

interface SequenceDrawingProps {
  /** Text alternative. */
  label: string;
  app: string;
  backend: string;
  steps: readonly string[];
}

/** The messages of a liveness check between app, backend and service. Only the backend has the key. */
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
      {STEPS.map((step, position) => {
        const y = FIRST_STEP + position * STEP;
        return <Arrow key={y} {...step} y={y} text={steps[position] ?? ''} />;
      })}
    </svg>
  );
}

/** The name of a lane in a box. The backend's box has crop brackets and the key. */
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
  isResponse?: boolean;
  y: number;
  text: string;
}

function Arrow({ from, to, isResponse = false, y, text }: ArrowProps) {
  const [start, end] = [LANES[from] as number, LANES[to] as number];
  const back = start < end ? -6 : 6;
  // The text stands beside the lane that it crosses, so that no line runs through it.
  const middle = Math.abs(to - from) > 1 ? (start + (LANES[1] as number)) / 2 : (start + end) / 2;
  return (
    <>
      <text className={styles.step} x={middle} y={y - 6}>
        {text}
      </text>
      <path className={isResponse ? styles.response : undefined} d={`M${start} ${y}H${end}`} />
      <path className={styles.tip} d={`M${end + back} ${y - 3.5}L${end} ${y}L${end + back} ${y + 3.5}`} />
    </>
  );
}
