import * as styles from './drawings.module.css';
import { AnchorLinks, around, CropBrackets, Face, hatch } from './parts';
import type { Pose } from './project-face';

/** The drawings of products, by id in the contract. */
const DRAWINGS: Record<string, () => React.JSX.Element> = {
  faceDetection: Detection,
  faceComparison: Comparison,
  livenessVerification: Liveness,
  imageModeration: Moderation,
};

/** The decoration of a product; nothing for a product without a drawing. */
export function ProductDrawing({ productId }: { productId: string }) {
  const Drawing = DRAWINGS[productId];
  if (!Drawing) return null;
  return (
    <svg className={styles.drawing} viewBox="0 0 240 180" aria-hidden="true">
      <Drawing />
    </svg>
  );
}

/** Several faces of one image, each in its own crop. */
function Detection() {
  const faces: Pose[] = [
    { yaw: -14, pitch: 3, x: 55, y: 104, scale: 46 },
    { yaw: 18, x: 150, y: 58, scale: 30 },
    { yaw: 8, pitch: -5, x: 212, y: 122, scale: 22 },
  ];
  return (
    <>
      {faces.map((face) => (
        <g key={face.x}>
          <Face {...face} detail={face.scale > 40 ? 'mesh' : 'outline'} />
          <CropBrackets {...around(face)} arm={face.scale * 0.32} />
        </g>
      ))}
    </>
  );
}

/** Two images of one face with lines between their anchors. */
function Comparison() {
  const left: Pose = { yaw: -16, pitch: 2, x: 55, y: 90, scale: 46 };
  const right: Pose = { yaw: 20, pitch: 4, x: 185, y: 90, scale: 46 };
  return (
    <>
      <Face {...left} detail="mesh" />
      <Face {...right} detail="mesh" />
      <AnchorLinks className={styles.link} from={left} to={right} />
      <CropBrackets {...around(left)} arm={14} />
      <CropBrackets {...around(right)} arm={14} />
    </>
  );
}

/** A head that turns from side to side, which a flat photo cannot do. */
function Liveness() {
  const front: Pose = { x: 120, y: 82, scale: 46 };
  return (
    <>
      <Face yaw={-42} x={34} y={82} scale={36} detail="outline" />
      <Face yaw={42} x={206} y={82} scale={36} detail="outline" />
      <Face {...front} detail="mesh" />
      <CropBrackets {...around(front)} arm={14} />
      <path className={styles.link} d="M34 156Q120 190 206 156M40 164l-6-8l10-1M200 164l6-8l-10-1" />
    </>
  );
}

/** An image with a covered part. */
function Moderation() {
  const image = { x: 2, y: 12, width: 236, height: 156 };
  const cover = { x: 66, y: 66, width: 108, height: 66 };
  return (
    <>
      <Face x={120} y={94} scale={46} detail="mesh" />
      <rect className={styles.chip} {...cover} />
      <path className={styles.link} d={hatch(cover, 8)} />
      <CropBrackets {...image} arm={18} />
    </>
  );
}
