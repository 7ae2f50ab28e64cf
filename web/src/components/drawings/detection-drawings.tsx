/** The steps of face detection: search, mesh, attributes. */

import * as styles from './drawings.module.css';
import { around, CropBrackets, Face } from './parts';
import { type Pose, projectFace } from './project-face';

export const DETECTION_DRAWINGS = {
  faceGrid: FaceGrid,
  landmarkMesh: LandmarkMesh,
  qualityBars: QualityBars,
};

const SIDE = 10;
const PITCH = 15;
const ROW_ID = 'face-grid-row';
/** Vertical offset of each row. */
const ROWS = Array.from({ length: SIDE - 1 }, (_, i) => i + 1);
const YAWS = [-26, 8, 34, -12, 18, -38, 2, 28, -20, 12];

/** Ten rows of ten faces, the maximum of one image. */
function FaceGrid() {
  const first = YAWS.map((yaw, i) => projectFace({ yaw, x: 52.5 + i * PITCH, y: 12.5, scale: 3.6 }).outline);
  return (
    <>
      <path id={ROW_ID} className={styles.fine} d={first.join('')} />
      {ROWS.map((row) => (
        <use key={row} href={`#${ROW_ID}`} transform={placeRow(row)} />
      ))}
      <CropBrackets x={40} y={0} width={160} height={160} arm={16} />
    </>
  );
}

/** Every other row is mirrored. */
const placeRow = (row: number) =>
  row % 2 ? `matrix(-1 0 0 1 240 ${row * PITCH})` : `translate(0 ${row * PITCH})`;

/** A face with landmarks and its axes of rotation. */
function LandmarkMesh() {
  const face: Pose = { yaw: -18, pitch: 4, x: 120, y: 80, scale: 50 };
  return (
    <>
      <Face {...face} />
      <CropBrackets {...around(face)} arm={15} />
      <path className={styles.leader} d="M46 80H8M194 80H232" />
      <path className={styles.link} d="M12 75l-6 5l6 5M228 75l6 5l-6 5" />
    </>
  );
}

/** Proportion of each bar that is filled. */
const BARS = [0.62, 0.84, 0.16, 0.93, 0.4];

/** A face with bars for its attributes. */
function QualityBars() {
  const face: Pose = { yaw: 14, x: 62, y: 80, scale: 42 };
  const bars = BARS.map((value, i) => ({ y: 32 + i * 24, to: 138 + value * 98 }));
  return (
    <>
      <Face {...face} detail="mesh" />
      <CropBrackets {...around(face)} arm={13} />
      <path className={styles.guide} d={bars.map(({ y }) => `M138 ${y}H236`).join('')} />
      <path className={styles.measure} d={bars.map(({ y, to }) => `M138 ${y}H${to}`).join('')} />
    </>
  );
}
