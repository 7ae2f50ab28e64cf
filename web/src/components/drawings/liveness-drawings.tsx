/** The steps of a liveness check: the page, the movements, the depth. */

import * as styles from './drawings.module.css';
import { around, CropBrackets, Face } from './parts';
import { type Pose, projectFace } from './project-face';

export const LIVENESS_DRAWINGS = {
  frameGuide: FrameGuide,
  turnedHeads: TurnedHeads,
  planeAndDepth: PlaneAndDepth,
};

/** A server sends an address to a phone, whose page frames the face. */
function FrameGuide() {
  return (
    <>
      <path className={styles.outline} d="M14 56h48v16H14zM14 72h48v16H14zM14 88h48v16H14z" />
      <path className={styles.link} d="M22 64h.01M22 80h.01M22 96h.01" />
      <path className={styles.leader} d="M68 80H118" />
      <path className={styles.link} d="M116 75l6 5l-6 5" />
      <path className={styles.outline} d="M130 4h92v152h-92zM130 22h92" />
      <path className={styles.guide} d="M140 13h58" />
      <path className={styles.leader} d="M176 38c24 0 36 20 36 46s-14 50-36 50s-36-24-36-50s12-46 36-46z" />
      <Face x={176} y={86} scale={26} detail="mesh" />
    </>
  );
}

const STEPS: readonly Pick<Pose, 'yaw' | 'pitch'>[] = [{}, { yaw: 36 }, { pitch: 24 }, { yaw: -36 }];
const FRAME = { width: 54, height: 76, gap: 8, top: 24 };

/** The steps of an attempt as frames of a film: completed ones and the current one. */
function TurnedHeads() {
  return (
    <>
      {STEPS.map((turn, step) => {
        const x = step * (FRAME.width + FRAME.gap);
        const face = { ...turn, x: x + FRAME.width / 2, y: FRAME.top + 40, scale: 19 };
        const now = step === STEPS.length - 1;
        return (
          <g key={x}>
            <Face {...face} detail={now ? 'mesh' : 'outline'} />
            {now ? (
              <CropBrackets x={x} y={FRAME.top} width={FRAME.width} height={FRAME.height} arm={12} />
            ) : (
              <path className={styles.guide} d={`M${x} ${FRAME.top}h54v76h-54z`} />
            )}
          </g>
        );
      })}
      <path className={styles.guide} d="M0 128H240" />
      <path className={styles.tick} d={STEPS.map((_, step) => `M${27 + step * 62} 123v10`).join('')} />
      <path className={styles.link} d="M27 128H213M207 123l6 5l-6 5" />
    </>
  );
}

const TURNED: Pose = { yaw: 34, x: 180, y: 68, scale: 38 };
const FLAT: Pose = { x: 0, y: 0, scale: 40 };
/** A sheet of paper at the same angle. */
const SHEET = 'matrix(0.72 0.1 0 1 56 68)';
const [CHEEK, NOSE] = [19, 7];

/** A printed and a real face at the same angle, with the position of the nose between the cheeks. */
function PlaneAndDepth() {
  const { mirrored, point } = projectFace(TURNED);
  return (
    <>
      <g transform={SHEET}>
        <path className={styles.outline} d="M-56 -66H56V66H-56z" />
        <Face {...FLAT} detail="mesh" />
      </g>
      <Face {...TURNED} detail="mesh" />
      <CropBrackets {...around(TURNED)} arm={13} />
      <Caliper from={56 - 29} to={56 + 29} mark={56} />
      <Caliper from={mirrored(CHEEK).x} to={point(CHEEK).x} mark={point(NOSE).x} />
    </>
  );
}

function Caliper({ from, to, mark }: { from: number; to: number; mark: number }) {
  return (
    <>
      <path className={styles.tick} d={`M${from} 142v10M${from} 147H${to}M${to} 142v10`} />
      <path className={styles.bracket} d={`M${mark} 139v16`} />
    </>
  );
}
