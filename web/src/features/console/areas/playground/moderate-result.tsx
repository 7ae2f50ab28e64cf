import { Confidences, CoveredImage } from '../../../demos/covered-image';
import type { Element } from '../../../demos/moderation';
import { useConsole } from '../../context';
import type { ChosenImage } from './images';
import * as styles from './result.module.css';

interface ModerateResultProps {
  image: ChosenImage;
  elements: readonly Element[];
  threshold: number;
}

/** The image, blurred if something was detected, with its labels. */
export function ModerateResult({ image, elements, threshold }: ModerateResultProps) {
  const { moderate: words } = useConsole().words.playground;
  const { dataUri: src, width, height } = image;
  return (
    <div className={styles.columns}>
      <CoveredImage
        image={{ src, width, height }}
        text={words.text}
        words={words}
        threshold={threshold}
        detected={elements}
        ready
      />
      {elements.length > 0 && (
        <Confidences label={words.elements} elements={elements} threshold={threshold} />
      )}
    </div>
  );
}
