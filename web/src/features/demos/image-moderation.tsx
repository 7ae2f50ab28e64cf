/** An image that stays covered because of its moderation result until the reader asks to see it. */

import { graphql, useStaticQuery } from 'gatsby';
import { useState } from 'react';
import { track } from '../../analytics/track';
import { useHasScript } from '../../use-has-script';
import { Confidences, CoveredImage } from './covered-image';
import { Frame } from './frame';
import { ImageChoice } from './image-choice';
import * as styles from './image-moderation.module.css';
import { detectedAt } from './moderation';
import { Threshold } from './threshold';

type Data = QueryData<Queries.ImageModerationDemoQuery>;
type DemoImage = Data['allDemoImage']['nodes'][number];

/** @param compact only the image and its result, for use within another figure */
export default function ImageModeration({ compact = false }: { compact?: boolean }) {
  const data = useStaticQuery<Data>(query);
  const { note, imageModeration: texts } = data.contentDemos;
  const images = data.allDemoImage.nodes;
  const ready = useHasScript();
  const [chosen, setChosen] = useState(0);
  const [threshold, setThreshold] = useState(data.contractLimits.thresholds.moderationConfidenceDefault);

  const image = images[chosen] as DemoImage;
  const detected = detectedAt(image.elements, threshold);
  const text = texts.images.find(({ name }) => name === image.name)?.text ?? '';
  const { src, width, height } = image;
  const held = (
    <CoveredImage
      key={image.name}
      image={{ src, width, height }}
      text={text}
      texts={texts}
      threshold={threshold}
      detected={detected}
      ready={ready}
      onToggle={() => track('demo_used', { product: 'imageModeration' })}
    />
  );
  // The surrounding page brings its own frame and label.
  if (compact) return held;
  return (
    <Frame label={texts.label} note={note}>
      <div className={styles.sheet}>
        {held}
        <div>
          <ImageChoice texts={texts} images={images} chosen={chosen} ready={ready} onChoose={setChosen} />
          <Threshold
            label={texts.threshold}
            value={threshold}
            onChange={setThreshold}
            disabled={!ready}
            marks={image.elements
              .slice(0, 1)
              .map(({ type, confidence }) => ({ name: type, value: confidence }))}
          />
          <Confidences label={texts.elements} elements={image.elements} threshold={threshold} />
        </div>
      </div>
    </Frame>
  );
}

const query = graphql`
  query ImageModerationDemo {
    contentDemos {
      note
      imageModeration {
        label choose
        images { name label text }
        sensitive reason held show hide shown clean threshold elements
      }
    }
    contractLimits { thresholds { moderationConfidenceDefault } }
    allDemoImage(filter: {kind: { eq: "object" }}, sort: { position: ASC }) {
      nodes { name src width height elements { type confidence subTypes { type confidence } } }
    }
  }
`;
