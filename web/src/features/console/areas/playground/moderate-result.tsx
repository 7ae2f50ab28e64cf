import { Confidences, CoveredImage } from '../../../demos/covered-image';
import type { Element } from '../../../demos/moderation';
import { useConsole } from '../../state/context';
import type { ChosenImage } from './images';
import * as styles from './result.module.css';

interface ModerateResultProps {
  image: ChosenImage;
  elements: readonly Element[];
  threshold: number;
}

/** The image, blurred if something was detected, with its labels. */
export function ModerateResult({ image, elements, threshold }: ModerateResultProps) {
  const { moderate: texts } = useConsole().texts.playground;
  const { dataUri: src, width, height } = image;
  return (
    <div className={styles.columns}>
      <CoveredImage
        image={{ src, width, height }}
        text={texts.text}
        texts={texts}
        threshold={threshold}
        detected={elements}
        ready
      />
      {elements.length > 0 && (
        <Confidences label={texts.elements} elements={elements} threshold={threshold} />
      )}
    </div>
  );
}
