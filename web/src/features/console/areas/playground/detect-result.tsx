/** Detected faces on their image, and the values of the selected one. */
import type { Face } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import * as controls from '../../../demos/controls.module.css';
import { FaceChoice, FaceOverlay } from '../../../demos/face-overlay';
import type { Element } from '../../../demos/moderation';
import { twoDecimals } from '../../../demos/text';
import { useConsole } from '../../state/context';
import type { Texts } from '../../state/texts';
import type { ChosenImage } from './images';
import * as styles from './result.module.css';

const layerNames = ['boxes', 'landmarks', 'pose'] as const;

export function DetectResult({ image, faces }: { image: ChosenImage; faces: readonly Face[] }) {
  const { detect: texts, result } = useConsole().texts.playground;
  const [selected, setSelected] = useState(0);
  const [layers, setLayers] = useState({ boxes: true, landmarks: true, pose: true });
  const face = faces[selected];
  const { width, height } = image;
  return (
    <div className={styles.columns}>
      <div>
        <div className={styles.image}>
          <img src={image.dataUri} width={width} height={height} alt={result.image} />
          <FaceOverlay
            width={width}
            height={height}
            faces={faces}
            layers={layers}
            selected={selected}
            onSelect={setSelected}
          />
        </div>
        {face && (
          <fieldset className={`${controls.row} ${styles.layers}`}>
            <legend>{texts.layers}</legend>
            {layerNames.map((layer) => (
              <label key={layer} className={controls.option}>
                <input
                  type="checkbox"
                  checked={layers[layer]}
                  onChange={({ currentTarget }) => setLayers({ ...layers, [layer]: currentTarget.checked })}
                />
                {texts[layer]}
              </label>
            ))}
          </fieldset>
        )}
      </div>
      <div>
        <p className={styles.summary} role="status">
          {faces.length < 2 ? (face ? texts.one : texts.none) : fill(texts.many, { count: faces.length })}
        </p>
        {faces.length > 1 && (
          <FaceChoice
            label={texts.faces}
            name={texts.face}
            count={faces.length}
            selected={selected}
            ready
            onSelect={setSelected}
          />
        )}
        {face && (
          <dl className={styles.values} aria-label={fill(texts.about, { number: selected + 1 })}>
            {rowsOf(face, texts).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}

const degrees = (value: number) => `${Math.round(value) + 0}°`.replace('-', '−');

/** The values that the response has, with their names. */
function rowsOf(face: Face, texts: Texts['playground']['detect']): readonly (readonly [string, string])[] {
  const { confidence, quality, occluded, attributes = {} } = face;
  const { pose, ageRange, gender, emotions, accessories, landmarks } = attributes;
  const names: Readonly<Record<string, string>> = texts.values;
  const likely = (name: string, confidence: number) => `${names[name] ?? name} (${twoDecimals(confidence)})`;
  const list = (items: readonly Element[]) =>
    items.map(({ type, confidence }) => likely(type, confidence)).join(', ') || texts.nothing;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [texts.confidence, twoDecimals(confidence)],
    [texts.brightness, quality && twoDecimals(quality.brightness)],
    [texts.sharpness, quality && twoDecimals(quality.sharpness)],
    [texts.occluded, occluded && likely(String(occluded.value), occluded.confidence)],
    [texts.turn, pose && degrees(pose.yaw)],
    [texts.nod, pose && degrees(pose.pitch)],
    [texts.tilt, pose && degrees(pose.roll)],
    [texts.ageRange, ageRange && `${ageRange.low}–${ageRange.high}`],
    [texts.gender, gender && likely(gender.value, gender.confidence)],
    [texts.emotions, emotions && list(emotions.slice(0, 2))],
    [texts.accessories, accessories && list(accessories)],
    [texts.landmarkCount, landmarks && String(landmarks.length)],
  ];
  return rows.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}
