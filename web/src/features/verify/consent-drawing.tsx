import * as styles from '../../components/drawings/drawings.module.css';
import { CropBrackets, Face } from '../../components/drawings/parts';

/** Decoration: a head that turns from side to side, like in the check. */
export function ConsentDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 320 300" aria-hidden="true">
      <Face yaw={-40} x={52} y={150} scale={50} detail="outline" />
      <Face yaw={40} x={268} y={150} scale={50} detail="outline" />
      <Face x={160} y={136} scale={74} detail="mesh" />
      <CropBrackets x={70} y={20} width={180} height={232} arm={24} />
      <path className={styles.link} d="M74 272Q160 300 246 272M83 283l-10-11l13-6M237 283l10-11l-13-6" />
    </svg>
  );
}
