/** How faces are found: the search, the mesh, the measuring. */
import { around, CropBrackets } from './crop-brackets';
import * as styles from './drawings.module.css';
import { Face } from './face';
import { type Pose, projectFace } from './project-face';

export const DETECTION_DRAWINGS = {
  faceGrid: FaceGrid,
  landmarkMesh: LandmarkMesh,
  qualityBars: QualityBars,
};

const SIDE = 10;
const PITCH = 15;
const ROW_ID = 'face-grid-row';
const YAWS = [-26, 8, 34, -12, 18, -38, 2, 28, -20, 12];

/** Ten rows of ten: as many faces as one picture may have. */
function FaceGrid() {
  const row = YAWS.map((yaw, i) => projectFace({ yaw, x: 52.5 + i * PITCH, y: 12.5, scale: 3.6 }).outline);
  return (
    <>
      <path id={ROW_ID} className={styles.feature} d={row.join('')} />
      {Array.from({ length: SIDE - 1 }, (_, i) => (
        // Every other row is the mirror image of the first.
        <use
          key={`row ${i + 1}`}
          href={`#${ROW_ID}`}
          transform={i % 2 ? `translate(0 ${(i + 1) * PITCH})` : `matrix(-1 0 0 1 240 ${(i + 1) * PITCH})`}
        />
      ))}
      <CropBrackets x={40} y={0} width={160} height={160} arm={16} />
    </>
  );
}

/** Landmarks on a face, and the axes that it turns about. */
function LandmarkMesh() {
  const face: Pose = { yaw: -18, pitch: 4, x: 120, y: 80, scale: 50 };
  return (
    <>
      <Face {...face} />
      <CropBrackets {...around(face)} arm={15} />
      <path className={styles.leader} d="M40 80H6M6 80l6-5M6 80l6 5M200 80h34M234 80l-6-5M234 80l-6 5" />
    </>
  );
}

/** Proportion of each bar that is filled. */
const BARS = [0.62, 0.84, 0.16, 0.93, 0.4];

/** A face, and how much of each quality it has. */
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
