/** Detected faces on their image, and the values of the selected one. */
import { useState } from 'react';
import { fill } from '../../../../fill';
import * as controls from '../../../demos/controls.module.css';
import { FaceChoice, FaceOverlay } from '../../../demos/face-overlay';
import { twoDecimals } from '../../../demos/text';
import { useConsole } from '../../context';
import type { Words } from '../../words';
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

const likely = (items: readonly { readonly type: string; readonly confidence: number }[]) =>
  items.map(({ type, confidence }) => `${type} ${twoDecimals(confidence)}`).join(', ');

/** The values that the response has, with their names. */
function rowsOf(face: Face, words: Words['playground']['detect']): [string, string][] {
  const { confidence, quality, occluded, attributes = {} } = face;
  const { pose, ageRange, gender, emotions, accessories, landmarks } = attributes;
  return [
    [words.confidence, twoDecimals(confidence)],
    ...(quality
      ? ([
          [words.brightness, twoDecimals(quality.brightness)],
          [words.sharpness, twoDecimals(quality.sharpness)],
        ] as const)
      : []),
    ...(occluded
      ? [
          [
            words.occluded,
            `${occluded.value ? words.yes : words.no} (${twoDecimals(occluded.confidence)})`,
          ] as const,
        ]
      : []),
    ...(pose
      ? ([
          [words.turn, degrees(pose.yaw)],
          [words.nod, degrees(pose.pitch)],
          [words.tilt, degrees(pose.roll)],
        ] as const)
      : []),
    ...(ageRange ? [[words.ageRange, `${ageRange.low}–${ageRange.high}`] as const] : []),
    ...(gender ? [[words.gender, `${gender.value} ${twoDecimals(gender.confidence)}`] as const] : []),
    ...(emotions ? [[words.emotions, likely(emotions.slice(0, 2))] as const] : []),
    ...(accessories ? [[words.accessories, likely(accessories) || words.nothing] as const] : []),
    ...(landmarks ? [[words.landmarkCount, String(landmarks.length)] as const] : []),
  ].map(([label, value]) => [label as string, value as string]);
}
