/** The steps of face matching: images, alignment, distance. */

import * as styles from './drawings.module.css';
import { around, CropBrackets, Face } from './parts';
import type { Pose } from './project-face';

export const MATCHING_DRAWINGS = {
  twoImages: TwoImages,
  alignedFace: AlignedFace,
  comparedMeshes: ComparedMeshes,
};

const SOURCE: Pose = { yaw: -12, x: 44, y: 84, scale: 30 };
const TARGETS: readonly Pose[] = [
  { yaw: 16, x: 154, y: 42, scale: 14 },
  { yaw: -8, x: 210, y: 62, scale: 13 },
  { yaw: 24, x: 212, y: 108, scale: 14 },
  { yaw: -22, pitch: 4, x: 156, y: 122, scale: 13 },
];

/** The largest face of one image and every face of the other. */
function TwoImages() {
  const links = TARGETS.map(({ x, y, scale }) => `M82 84L${x - scale * 1.3} ${y}`);
  return (
    <>
      <path className={styles.outline} d="M0 10h96v140H0zM128 10h112v140H128z" />
      <Face {...SOURCE} detail="mesh" />
      <Face yaw={18} x={87} y={118} scale={6} detail="outline" />
      <CropBrackets {...around(SOURCE)} arm={10} />
      <path className={styles.leader} d={links.join('')} />
      {TARGETS.map((face) => (
        <Face key={face.x} {...face} detail="outline" />
      ))}
    </>
  );
}

const FOUND: Pose = { yaw: -20, pitch: 4, x: 62, y: 80, scale: 38 };
const UPRIGHT: Pose = { x: 186, y: 76, scale: 30 };

/** A tilted face, turned upright and mirrored. */
function AlignedFace() {
  const chip = around(UPRIGHT);
  return (
    <>
      <g transform="rotate(-17 62 80)">
        <Face {...FOUND} detail="mesh" />
        <CropBrackets {...around(FOUND)} arm={12} />
      </g>
      <path className={styles.leader} d="M118 80H136" />
      <path className={styles.link} d="M134 75l6 5l-6 5" />
      <path
        className={styles.guide}
        d={`M${chip.x + 10} ${chip.y + 10}h${chip.width}v${chip.height}h${-chip.width}z`}
      />
      <rect className={styles.chip} {...chip} />
      <Face {...UPRIGHT} detail="mesh" />
      <CropBrackets {...chip} arm={10} />
    </>
  );
}

const SCALE = { from: 10, to: 230, y: 132 };
const onScale = (similarity: number) => SCALE.from + similarity * (SCALE.to - SCALE.from);
const COMPARED = [
  { similarity: 0.16, pose: { yaw: 26, pitch: -6 } },
  { similarity: 0.44, pose: { yaw: -18 } },
  { similarity: 0.86, pose: { yaw: 10 } },
] as const;

/** Faces on a similarity scale, with matches above the threshold. */
function ComparedMeshes() {
  const ticks = Array.from({ length: 21 }, (_, i) => `M${onScale(i / 20)} ${SCALE.y}v${i % 10 ? 5 : 10}`);
  const threshold = onScale(0.68);
  return (
    <>
      <path className={styles.tick} d={`M${SCALE.from} ${SCALE.y}H${SCALE.to}${ticks.join('')}`} />
      <path className={styles.leader} d={`M${threshold} 12V${SCALE.y + 16}`} />
      {COMPARED.map(({ similarity, pose }) => {
        const matched = onScale(similarity) > threshold;
        const face = { ...pose, x: onScale(similarity), y: 70, scale: 26 };
        return (
          <g key={similarity}>
            <Face {...face} detail={matched ? 'mesh' : 'outline'} />
            {matched && <CropBrackets {...around(face)} arm={9} />}
            <path className={styles.link} d={`M${face.x} 118v14`} />
          </g>
        );
      })}
    </>
  );
}
