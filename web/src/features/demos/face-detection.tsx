/** A group image with an overlay of its detected faces; one selected face shows all its attributes. */

import { graphql, useStaticQuery } from 'gatsby';
import { useState } from 'react';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { track } from '../analytics/track';
import * as controls from './controls.module.css';
import { type DetectedFace, fieldsOf } from './detected-face';
import * as styles from './face-detection.module.css';
import { FaceChoice, FaceOverlay } from './face-overlay';
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
        <FaceOverlay {...demoImage} {...{ layers, selected }} onSelect={select} />
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
