/** An image with an overlay of its detected faces; one selected face shows all its attributes. */

import { graphql, useStaticQuery } from 'gatsby';
import { useState } from 'react';
import { track } from '../../analytics/track';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import * as controls from './controls.module.css';
import { type DetectedFace, fieldsOf } from './detected-face';
import * as styles from './face-detection.module.css';
import { FaceChoice, FaceOverlay } from './face-overlay';
import { Frame } from './frame';
import { ImageChoice } from './image-choice';

export default function FaceDetection() {
  const data = useStaticQuery<QueryData<Queries.FaceDetectionDemoQuery>>(query);
  const { photoNote, faceDetection: texts } = data.contentDemos;
  const images = data.allDemoImage.nodes;
  const ready = useHasScript();
  const [chosen, setChosen] = useState(0);
  const [selected, setSelected] = useState(0);
  const [layers, setLayers] = useState({ boxes: true, landmarks: true });
  const image = images[chosen] as (typeof images)[number];
  const { name, src, width, height, faces } = image;
  const select = (index: number) => {
    if (index !== selected) track('demo_used', { product: 'faceDetection' });
    setSelected(index);
  };
  const choose = (index: number) => {
    track('demo_used', { product: 'faceDetection' });
    setChosen(index);
    setSelected(0);
  };
  return (
    <Frame label={texts.label} note={photoNote}>
      <ImageChoice texts={texts} images={images} chosen={chosen} ready={ready} onChoose={choose} />
      <div className={styles.image} style={{ maxWidth: width }}>
        <img
          src={src}
          width={width}
          height={height}
          fetchPriority="high"
          alt={texts.images.find((image) => image.name === name)?.text ?? ''}
        />
        <FaceOverlay
          width={width}
          height={height}
          faces={faces}
          layers={layers}
          selected={selected}
          onSelect={select}
        />
      </div>
      <fieldset className={`${controls.row} ${styles.layers}`} disabled={!ready}>
        <legend>{texts.layers}</legend>
        {(['boxes', 'landmarks'] as const).map((layer) => (
          <label key={layer} className={controls.option}>
            <input
              type="checkbox"
              checked={layers[layer]}
              onChange={(event) => setLayers({ ...layers, [layer]: event.target.checked })}
            />
            {texts[layer]}
          </label>
        ))}
      </fieldset>
      {faces.length > 1 && (
        <FaceChoice
          label={texts.faces}
          name={texts.face}
          count={faces.length}
          selected={selected}
          ready={ready}
          onSelect={select}
        />
      )}
      <section aria-live="polite" aria-label={fill(texts.response, { number: selected + 1 })}>
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
      photoNote
      faceDetection { label choose images { name label text } face faces layers boxes landmarks response }
    }
    allDemoImage(filter: { name: { in: ["hopper-photo", "group"] } }, sort: { position: ASC }) {
      nodes {
        name ...MarkedPhoto
      }
    }
  }
`;
