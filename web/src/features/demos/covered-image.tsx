/** An image that stays covered because of its moderation result until the reader asks to see it. */
import EyeOff from 'lucide-react/dist/esm/icons/eye-off.mjs';
import { useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { fill } from '../../fill';
import * as styles from './covered-image.module.css';
import { type Element, nameOf } from './moderation';
import { twoDecimals } from './text';

export interface CoverTexts {
  readonly sensitive: string;
  readonly reason: string;
  readonly held: string;
  readonly show: string;
  readonly hide: string;
  readonly shown: string;
  readonly clean: string;
}

interface CoveredImageProps {
  image: { readonly src: string; readonly width: number; readonly height: number };
  /** Describes the image while it is visible. */
  text: string;
  texts: CoverTexts;
  threshold: number;
  /** Most confident first. */
  detected: readonly Element[];
  ready: boolean;
  onToggle?: () => void;
}

/** Covered while the image has a detected category and the reader has not uncovered it. */
export function CoveredImage(props: CoveredImageProps) {
  const { image, text, texts, threshold, detected, ready, onToggle } = props;
  const [wanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [surest] = detected;
  const reason =
    surest && fill(texts.reason, { type: nameOf(surest), confidence: twoDecimals(surest.confidence) });
  const covered = reason !== undefined && !wanted;
  const toggle = () => {
    onToggle?.();
    setWanted(!wanted);
    // The button moves from the cover to below the image and keeps the focus.
    requestAnimationFrame(() => button.current?.focus());
  };
  const action = (
    <Button ref={button} variant="secondary" onClick={toggle} disabled={!ready}>
      {wanted ? texts.hide : texts.show}
    </Button>
  );
  return (
    <div>
      <div className={styles.image}>
        <div className={styles.crop}>
          <img {...image} className={covered ? styles.blurred : undefined} alt={covered ? '' : text} />
        </div>
        {covered && (
          <div className={styles.cover}>
            <EyeOff aria-hidden="true" size={28} strokeWidth={1.5} />
            <p className={styles.warning}>{texts.sensitive}</p>
            {action}
          </div>
        )}
      </div>
      <div className={styles.state}>
        <p aria-live="polite" data-source="engine">
          {reason === undefined
            ? fill(texts.clean, { threshold: twoDecimals(threshold) })
            : fill(wanted ? texts.shown : texts.held, { reason })}
        </p>
        {reason !== undefined && wanted && action}
      </div>
    </div>
  );
}

interface ConfidencesProps {
  label: string;
  elements: readonly Element[];
  threshold: number;
}

export function Confidences({ label, elements, threshold }: ConfidencesProps) {
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
