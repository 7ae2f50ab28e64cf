/** Detected faces on their image, and the values of the selected one. */
import { useState } from 'react';
import { fill } from '../../../../fill';
import * as controls from '../../../demos/controls.module.css';
import { FaceChoice, FaceOverlay } from '../../../demos/face-overlay';
import type { Element } from '../../../demos/moderation';
import { twoDecimals } from '../../../demos/text';
import { useConsole } from '../../state/context';
import type { Words } from '../../state/words';
import type { ChosenImage } from './images';
import type { Face } from './operations';
import * as styles from './result.module.css';

const layerNames = ['boxes', 'landmarks', 'pose'] as const;

export function DetectResult({ image, faces }: { image: ChosenImage; faces: readonly Face[] }) {
  const { detect: words, result } = useConsole().words.playground;
  const [selected, setSelected] = useState(0);
  const [layers, setLayers] = useState({ boxes: true, landmarks: true, pose: true });
  const face = faces[selected];
  const { width, height } = image;
  return (
    <div className={styles.columns}>
      <div>
        <div className={styles.image}>
          <img src={image.dataUri} width={width} height={height} alt={result.image} />
          <FaceOverlay {...{ width, height, faces, layers, selected }} onSelect={setSelected} />
        </div>
        {face && (
          <fieldset className={`${controls.row} ${styles.layers}`}>
            <legend>{words.layers}</legend>
            {layerNames.map((layer) => (
              <label key={layer} className={controls.option}>
                <input
                  type="checkbox"
                  checked={layers[layer]}
                  onChange={({ currentTarget }) => setLayers({ ...layers, [layer]: currentTarget.checked })}
                />
                {words[layer]}
              </label>
            ))}
          </fieldset>
        )}
      </div>
      <div>
        <p className={styles.summary} role="status">
          {faces.length < 2 ? (face ? words.one : words.none) : fill(words.many, { count: faces.length })}
        </p>
        {faces.length > 1 && (
          <FaceChoice
            label={words.faces}
            name={words.face}
            count={faces.length}
            selected={selected}
            ready
            onSelect={setSelected}
          />
        )}
        {face && (
          <dl className={styles.values} aria-label={fill(words.about, { number: selected + 1 })}>
            {rowsOf(face, words).map(([label, value]) => (
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
function rowsOf(face: Face, words: Words['playground']['detect']): readonly (readonly [string, string])[] {
  const { confidence, quality, occluded, attributes = {} } = face;
  const { pose, ageRange, gender, emotions, accessories, landmarks } = attributes;
  const names: Readonly<Record<string, string>> = words.values;
  const likely = (name: string, confidence: number) => `${names[name] ?? name} (${twoDecimals(confidence)})`;
  const list = (items: readonly Element[]) =>
    items.map((one) => likely(one.type, one.confidence)).join(', ') || words.nothing;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [words.confidence, twoDecimals(confidence)],
    [words.brightness, quality && twoDecimals(quality.brightness)],
    [words.sharpness, quality && twoDecimals(quality.sharpness)],
    [words.occluded, occluded && likely(String(occluded.value), occluded.confidence)],
    [words.turn, pose && degrees(pose.yaw)],
    [words.nod, pose && degrees(pose.pitch)],
    [words.tilt, pose && degrees(pose.roll)],
    [words.ageRange, ageRange && `${ageRange.low}–${ageRange.high}`],
    [words.gender, gender && likely(gender.value, gender.confidence)],
    [words.emotions, emotions && list(emotions.slice(0, 2))],
    [words.accessories, accessories && list(accessories)],
    [words.landmarkCount, landmarks && String(landmarks.length)],
  ];
  return rows.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}
