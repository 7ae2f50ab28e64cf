/** A picture that is held back for what moderation found in it, until the reader asks to see it. */
import { graphql, useStaticQuery } from 'gatsby';
import EyeOff from 'lucide-react/dist/esm/icons/eye-off.mjs';
import { useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { fill } from '../../fill';
import { track } from '../analytics/track';
import { Frame, useReady } from './frame';
import * as styles from './image-moderation.module.css';
import { detectedAt, type Element, nameOf } from './moderation';
import { twoDecimals } from './text';
import { Threshold } from './threshold';

interface Picture {
  name: string;
  src: string;
  width: number;
  height: number;
  elements: Element[];
}

interface Words {
  label: string;
  choose: string;
  pictures: { name: string; label: string; text: string }[];
  sensitive: string;
  reason: string;
  held: string;
  show: string;
  hide: string;
  shown: string;
  clean: string;
  threshold: string;
  elements: string;
}

interface ModerationData {
  contentDemos: { note: string; imageModeration: Words };
  contractLimits: { thresholds: { moderationConfidenceDefault: number } };
  allDemoImage: { nodes: Picture[] };
}

export default function ImageModeration({ compact }: { compact: boolean }) {
  const data = useStaticQuery<ModerationData>(query);
  const words = data.contentDemos.imageModeration;
  const pictures = data.allDemoImage.nodes;
  const ready = useReady();
  const [chosen, setChosen] = useState(0);
  const [threshold, setThreshold] = useState(data.contractLimits.thresholds.moderationConfidenceDefault);

  const picture = pictures[chosen] as Picture;
  const detected = detectedAt(picture.elements, threshold);
  const text = words.pictures.find(({ name }) => name === picture.name)?.text ?? '';
  const held = <Held key={picture.name} {...{ picture, text, words, threshold, detected, ready }} />;
  // Where it stands among other things, they have a frame and a name for it.
  if (compact) return held;
  return (
    <Frame label={words.label} note={data.contentDemos.note}>
      <div className={styles.sheet}>
        {held}
        <div>
          <PictureChoice {...{ words, pictures, chosen, ready }} onChoose={setChosen} />
          <Threshold
            label={words.threshold}
            value={threshold}
            onChange={setThreshold}
            disabled={!ready}
            marks={picture.elements
              .slice(0, 1)
              .map(({ type, confidence }) => ({ name: type, value: confidence }))}
          />
          <Confidences label={words.elements} elements={picture.elements} threshold={threshold} />
        </div>
      </div>
    </Frame>
  );
}

interface HeldProps {
  picture: Picture;
  text: string;
  words: Words;
  threshold: number;
  detected: readonly Element[];
  ready: boolean;
}

/** Covered while something was detected, unless the reader chose to see it. */
function Held({ picture: { src, width, height }, text, words, threshold, detected, ready }: HeldProps) {
  const [wanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [surest] = detected;
  const reason =
    surest && fill(words.reason, { type: nameOf(surest), confidence: twoDecimals(surest.confidence) });
  const covered = reason !== undefined && !wanted;
  const toggle = () => {
    track('demo_used', { product: 'imageModeration' });
    setWanted(!wanted);
    // The button moves from the cover to below the picture: whoever pressed it stays on it.
    requestAnimationFrame(() => button.current?.focus());
  };
  const action = (
    <Button ref={button} look="secondary" onClick={toggle} disabled={!ready}>
      {wanted ? words.hide : words.show}
    </Button>
  );
  return (
    <div>
      <div className={styles.picture}>
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

interface PictureChoiceProps {
  words: Words;
  pictures: readonly Picture[];
  chosen: number;
  ready: boolean;
  onChoose: (index: number) => void;
}

function PictureChoice({ words, pictures, chosen, ready, onChoose }: PictureChoiceProps) {
  const group = useId();
  return (
    <fieldset className={styles.choice} disabled={!ready}>
      <legend>{words.choose}</legend>
      {pictures.map(({ name }, index) => (
        <label key={name}>
          <input type="radio" name={group} checked={index === chosen} onChange={() => onChoose(index)} />
          {words.pictures.find((picture) => picture.name === name)?.label}
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
        pictures { name label text }
        sensitive reason held show hide shown clean threshold elements
      }
    }
    contractLimits { thresholds { moderationConfidenceDefault } }
    allDemoImage(filter: {kind: { eq: "object" }}, sort: { position: ASC }) {
      nodes { name src width height elements { type confidence subTypes { type confidence } } }
    }
  }
`;
