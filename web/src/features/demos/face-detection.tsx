/** A group image with an overlay of its detected faces; one selected face shows all its attributes. */

import { graphql, useStaticQuery } from 'gatsby';
import { useId, useState } from 'react';
import { CropBrackets } from '../../components/drawings/parts';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { track } from '../analytics/track';
import * as controls from './controls.module.css';
import { type DetectedFace, fieldsOf } from './detected-face';
import * as styles from './face-detection.module.css';
import { Frame } from './frame';

export default function FaceDetection() {
  const { contentDemos, demoImage } = useStaticQuery<QueryData<Queries.FaceDetectionDemoQuery>>(query);
  const { note, faceDetection: words } = contentDemos;
  const { faces } = demoImage;
  const ready = useHasScript();
  const [selected, setSelected] = useState(0);
  const [layers, setLayers] = useState({ boxes: true, landmarks: true });
  const select = (index: number) => {
    if (index !== selected) track('demo_used', { product: 'faceDetection' });
    setSelected(index);
  };
  return (
    <Frame label={words.label} note={note}>
      <div className={styles.image}>
        <img src={demoImage.src} width={demoImage.width} height={demoImage.height} alt={words.image} />
        <Overlay {...demoImage} {...{ layers, selected }} onSelect={select} />
      </div>
      <fieldset className={`${controls.row} ${styles.layers}`} disabled={!ready}>
        <legend>{words.layers}</legend>
        {(['boxes', 'landmarks'] as const).map((layer) => (
          <label key={layer} className={controls.option}>
            <input
              type="checkbox"
              checked={layers[layer]}
              onChange={(event) => setLayers({ ...layers, [layer]: event.target.checked })}
            />
            {words[layer]}
          </label>
        ))}
      </fieldset>
      <FaceChoice
        label={words.faces}
        name={words.face}
        count={faces.length}
        {...{ selected, ready }}
        onSelect={select}
      />
      <section aria-live="polite" aria-label={fill(words.response, { number: selected + 1 })}>
        <dl className={styles.result}>
          {fieldsOf(faces[selected] as DetectedFace).map(([field, value]) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Frame>
  );
}

interface OverlayProps {
  width: number;
  height: number;
  faces: readonly DetectedFace[];
  layers: { boxes: boolean; landmarks: boolean };
  selected: number;
  onSelect: (index: number) => void;
}

/** The overlay is for pointers; the row of faces below offers the same choice. */
function Overlay({ width, height, faces, layers, selected, onSelect }: OverlayProps) {
  return (
    <svg className={styles.overlay} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {faces.map(({ boundingBox: { left, top, ...size }, attributes }, index) => {
        const box = {
          x: left * width,
          y: top * height,
          width: size.width * width,
          height: size.height * height,
        };
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: radio buttons do the same for keyboards
          <g
            key={box.x}
            data-selected={index === selected}
            onMouseEnter={() => onSelect(index)}
            onClick={() => onSelect(index)}
          >
            <rect {...box} className={styles.box} data-shown={layers.boxes} />
            {layers.boxes && index === selected && <CropBrackets {...box} arm={box.width * 0.2} />}
            {layers.landmarks &&
              attributes.landmarks.map(({ type, x, y }) => (
                <circle key={type} cx={x * width} cy={y * height} r={index === selected ? 3.2 : 2.2} />
              ))}
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

function FaceChoice({ label, name, count, selected, ready, onSelect }: FaceChoiceProps) {
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

const query = graphql`
  query FaceDetectionDemo {
    contentDemos {
      note
      faceDetection { label image face faces layers boxes landmarks response }
    }
    demoImage(kind: { eq: "group" }) {
      src width height
      faces {
        confidence
        boundingBox { left top width height }
        quality { brightness sharpness }
        occluded { value confidence }
        attributes {
          landmarks { type x y }
          pose { yaw pitch roll }
          emotions { type confidence }
          ageRange { low high }
        }
      }
    }
  }
`;
