/** The figure of a product, like a technical drawing: a drawing beside the response that it illustrates. */

import ImageModeration from '../../../features/demos/image-moderation';
import * as drawings from '../../drawings/drawings.module.css';
import { Face } from '../../drawings/parts';
import * as styles from '../home.module.css';
import { ComparisonMockup } from './comparison-mockup';
import { DetectionMockup } from './detection-mockup';
import { LivenessMockup } from './liveness-mockup';
import type { ResponseFace } from './person';

interface Drawn {
  productId: string;
  faces: readonly ResponseFace[];
  /** Text alternative of the drawing. */
  label: string;
  threshold: number;
  steps: number;
}

interface MockupProps extends Drawn {
  number: string;
  title: string;
  operation: string;
  /** The part of the response that the drawing shows. */
  html: string;
  responseLabel: string;
  movements: readonly { name: string; text: string }[];
}

export function Mockup({ html, responseLabel, movements, number, title, operation, ...drawn }: MockupProps) {
  const drawing = draw(drawn);
  return (
    drawing && (
      <figure className={styles.plate}>
        <div className={styles.sheet}>
          <div className={styles.image}>{drawing}</div>
          <div className={styles.aside} data-source="contract">
            {movements.length > 0 && <Movements movements={movements} />}
            <section
              className={styles.response}
              aria-label={responseLabel}
              // biome-ignore lint/security/noDangerouslySetInnerHtml: gatsby/highlight.mjs writes it from an example of the contract.
              dangerouslySetInnerHTML={{ __html: html }}
            />
          </div>
        </div>
        <figcaption className={styles.caption}>
          <span>{number}</span>
          <span>{title}</span>
          <code>{operation}</code>
        </figcaption>
      </figure>
    )
  );
}

function draw({ productId, faces, label, threshold, steps }: Drawn) {
  switch (productId) {
    case 'livenessVerification':
      return <LivenessMockup steps={steps} label={label} />;
    case 'faceComparison':
      return <ComparisonMockup faces={faces} threshold={threshold} label={label} />;
    case 'faceDetection':
      return <DetectionMockup faces={faces} label={label} />;
    case 'imageModeration':
      return <ImageModeration compact />;
    default:
      return null;
  }
}

/** The pose after each movement of content/verify/en.json, mirrored like the camera preview. */
const POSES: Record<string, { yaw?: number; pitch?: number }> = {
  centre: {},
  left: { yaw: -34 },
  right: { yaw: 34 },
  up: { pitch: 24 },
  down: { pitch: -22 },
};

function Movements({ movements }: Pick<MockupProps, 'movements'>) {
  return (
    <ol className={styles.movements}>
      {movements.map(({ name, text }) => (
        <li key={name}>
          <svg className={drawings.drawing} viewBox="0 0 48 48" aria-hidden="true">
            <Face {...POSES[name]} x={24} y={24} scale={15} detail="outline" />
          </svg>
          {text}
        </li>
      ))}
    </ol>
  );
}
