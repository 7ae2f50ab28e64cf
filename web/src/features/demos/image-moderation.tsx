/** An image that stays covered because of its moderation result until the reader asks to see it. */

import { graphql, useStaticQuery } from 'gatsby';
import EyeOff from 'lucide-react/dist/esm/icons/eye-off.mjs';
import { useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { track } from '../analytics/track';
import * as controls from './controls.module.css';
import { Frame } from './frame';
import * as styles from './image-moderation.module.css';
import { detectedAt, type Element, nameOf } from './moderation';
import { twoDecimals } from './text';
import { Threshold } from './threshold';

type Data = QueryData<Queries.ImageModerationDemoQuery>;
type DemoImage = Data['allDemoImage']['nodes'][number];
type Words = Data['contentDemos']['imageModeration'];

/** @param compact only the image and its result, for use within another figure */
export default function ImageModeration({ compact = false }: { compact?: boolean }) {
  const data = useStaticQuery<Data>(query);
  const { note, imageModeration: words } = data.contentDemos;
  const images = data.allDemoImage.nodes;
  const ready = useHasScript();
  const [chosen, setChosen] = useState(0);
  const [threshold, setThreshold] = useState(data.contractLimits.thresholds.moderationConfidenceDefault);

  const image = images[chosen] as DemoImage;
  const detected = detectedAt(image.elements, threshold);
  const text = words.images.find(({ name }) => name === image.name)?.text ?? '';
  const held = <Held key={image.name} {...{ image, text, words, threshold, detected, ready }} />;
  // The surrounding page brings its own frame and label.
  if (compact) return held;
  return (
    <Frame label={words.label} note={note}>
      <div className={styles.sheet}>
        {held}
        <div>
          <ImageChoice {...{ words, images, chosen, ready }} onChoose={setChosen} />
          <Threshold
            label={words.threshold}
            value={threshold}
            onChange={setThreshold}
            disabled={!ready}
            marks={image.elements
              .slice(0, 1)
              .map(({ type, confidence }) => ({ name: type, value: confidence }))}
          />
          <Confidences label={words.elements} elements={image.elements} threshold={threshold} />
        </div>
      </div>
    </Frame>
  );
}

interface HeldProps {
  image: DemoImage;
  text: string;
  words: Words;
  threshold: number;
  detected: readonly Element[];
  ready: boolean;
}

/** The image, covered while it has a detected category and the reader has not uncovered it. */
function Held({ image: { src, width, height }, text, words, threshold, detected, ready }: HeldProps) {
  const [wanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [surest] = detected;
  const reason =
    surest && fill(words.reason, { type: nameOf(surest), confidence: twoDecimals(surest.confidence) });
  const covered = reason !== undefined && !wanted;
  const toggle = () => {
    track('demo_used', { product: 'imageModeration' });
    setWanted(!wanted);
    // The button moves from the cover to below the image and keeps the focus.
    requestAnimationFrame(() => button.current?.focus());
  };
  const action = (
    <Button ref={button} look="secondary" onClick={toggle} disabled={!ready}>
      {wanted ? words.hide : words.show}
    </Button>
  );
  return (
    <div>
      <div className={styles.image}>
        <div className={styles.crop}>
          <img
            {...{ src, width, height }}
            className={covered ? styles.blurred : undefined}
            alt={covered ? '' : text}
          />
        </div>
        {covered && (
          <div className={styles.cover}>
            <EyeOff aria-hidden="true" size={28} strokeWidth={1.5} />
            <p className={styles.warning}>{words.sensitive}</p>
            {action}
          </div>
        )}
      </div>
      <div className={styles.state}>
        <p aria-live="polite" data-source="engine">
          {reason === undefined
            ? fill(words.clean, { threshold: twoDecimals(threshold) })
            : fill(wanted ? words.shown : words.held, { reason })}
        </p>
        {reason !== undefined && wanted && action}
      </div>
    </div>
  );
}

interface ImageChoiceProps {
  words: Words;
  images: readonly DemoImage[];
  chosen: number;
  ready: boolean;
  onChoose: (index: number) => void;
}

function ImageChoice({ words, images, chosen, ready, onChoose }: ImageChoiceProps) {
  const group = useId();
  return (
    <fieldset className={`${controls.row} ${styles.choice}`} disabled={!ready}>
      <legend>{words.choose}</legend>
      {images.map(({ name }, index) => (
        <label key={name} className={controls.option}>
          <input type="radio" name={group} checked={index === chosen} onChange={() => onChoose(index)} />
          {words.images.find((image) => image.name === name)?.label}
        </label>
      ))}
    </fieldset>
  );
}

interface ConfidencesProps {
  label: string;
  elements: readonly Element[];
  threshold: number;
}

function Confidences({ label, elements, threshold }: ConfidencesProps) {
  return (
    <ul className={styles.elements} aria-label={label}>
      {elements.map((element) => (
        <li key={element.type} data-detected={element.confidence >= threshold}>
          <span>{element.confidence >= threshold ? nameOf(element) : element.type}</span>
          <svg aria-hidden="true">
            <rect width="100%" height="1" y="5" className={styles.scale} />
            <rect width={`${(element.confidence * 100).toFixed(2)}%`} height="5" y="3" />
          </svg>
          <span>{twoDecimals(element.confidence)}</span>
        </li>
      ))}
    </ul>
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
