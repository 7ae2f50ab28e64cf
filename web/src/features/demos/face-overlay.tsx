/** Detected faces drawn over their image, and the choice of one of them. */
import { useId } from 'react';
import { CropBrackets } from '../../components/drawings/parts';
import { fill } from '../../fill';
import * as controls from './controls.module.css';
import { boxOf, type DrawnFace, poseLines } from './face-geometry';
import * as styles from './face-overlay.module.css';

export interface Layers {
  readonly boxes: boolean;
  readonly landmarks: boolean;
  readonly pose?: boolean;
}

interface FaceOverlayProps {
  width: number;
  height: number;
  faces: readonly DrawnFace[];
  layers: Layers;
  selected: number;
  onSelect: (index: number) => void;
}

/** The image width that the sizes of points are for. */
const drawnWidth = 1100;

interface FaceMarkProps {
  face: DrawnFace;
  /** The size of the image in pixels, which are the units of the drawing. */
  width: number;
  height: number;
  layers: Layers;
  isSelected?: boolean;
  /** Radius of a landmark. */
  point: number;
}

/** A face's box, landmarks and pose, inside an <svg>. */
export function FaceMark({ face, width, height, layers, isSelected = true, point }: FaceMarkProps) {
  const box = boxOf(face, { width, height });
  const { landmarks = [], pose } = face.attributes ?? {};
  return (
    <>
      <rect {...box} className={styles.box} data-shown={layers.boxes} />
      {layers.boxes && isSelected && <CropBrackets {...box} arm={box.width * 0.2} />}
      {layers.landmarks &&
        landmarks.map(({ type, x, y }) => <circle key={type} cx={x * width} cy={y * height} r={point} />)}
      {layers.pose && pose && <path data-pose d={poseLines(box, pose)} />}
    </>
  );
}

/** The overlay is for pointers; the row of faces below offers the same choice. */
export function FaceOverlay({ width, height, faces, layers, selected, onSelect }: FaceOverlayProps) {
  const unit = width / drawnWidth;
  return (
    <svg className={styles.overlay} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {faces.map((face, index) => {
        const box = boxOf(face, { width, height });
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: radio buttons do the same for keyboards
          <g
            key={`${box.x} ${box.y}`}
            data-selected={index === selected}
            className={styles.choice}
            onMouseEnter={() => onSelect(index)}
            onClick={() => onSelect(index)}
          >
            <FaceMark
              face={face}
              width={width}
              height={height}
              layers={layers}
              isSelected={index === selected}
              point={unit * (index === selected ? 3.2 : 2.2)}
            />
          </g>
        );
      })}
    </svg>
  );
}

interface FaceChoiceProps {
  label: string;
  name: string;
  count: number;
  selected: number;
  ready: boolean;
  onSelect: (index: number) => void;
}

export function FaceChoice({ label, name, count, selected, ready, onSelect }: FaceChoiceProps) {
  const group = useId();
  return (
    <fieldset className={`${controls.row} ${styles.faces}`} disabled={!ready}>
      <legend>{label}</legend>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <label key={index} className={controls.cover}>
          <input
            type="radio"
            name={group}
            checked={index === selected}
            onChange={() => onSelect(index)}
            aria-label={fill(name, { number: index + 1 })}
          />
          <span aria-hidden="true">{index + 1}</span>
        </label>
      ))}
    </fieldset>
  );
}
