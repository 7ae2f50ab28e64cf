import * as drawings from '../../drawings/drawings.module.css';
import { AnchorLinks, CropBrackets, Face } from '../../drawings/parts';
import { Dial } from './dial';
import * as styles from './mockups.module.css';
import { Bust, boxIn, poseIn, type ResponseFace, type Square } from './person';

const SOURCE: Square = { x: 2, y: 2, size: 192 };
const TARGET: Square = { x: 206, y: 2, size: 192 };

interface ComparisonMockupProps {
  /** The face of the source, then those of the target; matched faces have a similarity. */
  faces: readonly ResponseFace[];
  threshold: number;
  label: string;
}

/** Two images with each face in its bounding box of the response, and the similarity on a dial. */
export function ComparisonMockup({ faces: [source, ...targets], threshold, label }: ComparisonMockupProps) {
  const matched = targets.find(({ similarity }) => similarity !== null);
  if (!source || !matched) return null;
  const sourcePose = poseIn(source, SOURCE, { yaw: -12, pitch: 3 });
  const matchedPose = poseIn(matched, TARGET, { yaw: 14, pitch: 2 });
  const others = targets.filter((face) => face !== matched);
  return (
    <svg className={drawings.drawing} viewBox="0 0 400 384" role="img" aria-label={label}>
      {[SOURCE, TARGET].map(({ x, y, size }) => (
        <clipPath key={x} id={`comparison-${x}`}>
          <rect x={x} y={y} width={size} height={size} />
        </clipPath>
      ))}
      <g clipPath={`url(#comparison-${SOURCE.x})`}>
        <Bust pose={sourcePose} className={styles.bust} />
      </g>
      <g clipPath={`url(#comparison-${TARGET.x})`}>
        <Bust pose={matchedPose} className={styles.bust} />
      </g>
      <rect className={drawings.guide} x={SOURCE.x} y={SOURCE.y} width={SOURCE.size} height={SOURCE.size} />
      <rect className={drawings.guide} x={TARGET.x} y={TARGET.y} width={TARGET.size} height={TARGET.size} />
      <Face {...sourcePose} detail="mesh" />
      <Face {...matchedPose} detail="mesh" />
      {others.map((face) => (
        <g key={face.boundingBox.left}>
          <Face {...poseIn(face, TARGET, { yaw: -10 })} detail="outline" />
          <rect className={styles.bust} {...boxIn(face, TARGET)} />
        </g>
      ))}
      <AnchorLinks className={drawings.link} from={sourcePose} to={matchedPose} />
      <CropBrackets {...boxIn(source, SOURCE)} arm={16} />
      <CropBrackets {...boxIn(matched, TARGET)} arm={16} />
      <Dial x={200} y={366} radius={128} value={matched.similarity ?? 0} threshold={threshold} />
    </svg>
  );
}
