/** The illustration of a product: photos with the engine's results, or screens of the hosted page. */
import { graphql, useStaticQuery } from 'gatsby';
import * as drawings from '../../components/drawings/drawings.module.css';
import { Screen } from '../../components/screens/screen';
import { fieldsOf } from '../demos/detected-face';
import { boxOf } from '../demos/face-geometry';
import ImageModeration from '../demos/image-moderation';
import { MarkedPhoto } from '../demos/marked-photo';
import { Dial } from './dial';
import * as styles from './illustrations.module.css';

interface IllustrationProps {
  productId: string;
  /** Text alternatives of its images. */
  labels: readonly string[];
}

export function Illustration({ productId, labels }: IllustrationProps) {
  const [first = '', second = ''] = labels;
  switch (productId) {
    case 'livenessVerification':
      return (
        <div className={styles.pair}>
          <div className={styles.phone}>
            <Screen name="consent" label={first} />
          </div>
          <div className={styles.phone}>
            <Screen name="verified" label={second} />
          </div>
        </div>
      );
    case 'faceComparison':
      return <Comparison labels={[first, second]} />;
    case 'faceDetection':
      return <Detection label={first} />;
    case 'imageModeration':
      return <ImageModeration compact />;
    default:
      return null;
  }
}

const BOXES = { boxes: true, landmarks: false };
/** The same as in the response beside it. */
const DECIMALS = 3;
const ALL = { boxes: true, landmarks: true };
/** Space around a face, in proportion to the width of its box. */
const MARGIN = 0.4;

function Comparison({ labels }: { labels: [string, string] }) {
  const { photo, print, demoSimilarity, contractLimits } = useResults();
  return (
    <>
      <div className={styles.pair}>
        <MarkedPhoto image={photo} label={labels[0]} layers={BOXES} />
        <MarkedPhoto image={print} label={labels[1]} layers={BOXES} />
      </div>
      <svg className={drawings.drawing} viewBox="0 0 400 184" aria-hidden="true">
        <Dial
          x={200}
          y={156}
          radius={120}
          value={Number(demoSimilarity.similarity.toFixed(DECIMALS))}
          threshold={contractLimits.thresholds.similarityDefault}
        />
      </svg>
    </>
  );
}

/** The whole photo, beside the values of its face. */
export function DetectedPhoto({ label }: { label: string }) {
  const { photo } = useResults();
  return (
    <div className={styles.detected}>
      <MarkedPhoto image={photo} label={label} layers={ALL} isFirst />
      <dl className={styles.values} data-source="engine">
        {photo.faces.flatMap(fieldsOf).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The photo around its face. */
function Detection({ label }: { label: string }) {
  const { photo } = useResults();
  const [face] = photo.faces;
  if (!face) return null;
  const { x, y, width, height } = boxOf(face, photo);
  const margin = MARGIN * width;
  const part = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  return <MarkedPhoto image={photo} label={label} layers={ALL} part={part} />;
}

const useResults = () =>
  useStaticQuery<QueryData<Queries.IllustrationsQuery>>(graphql`
    query Illustrations {
      photo: demoImage(name: { eq: "hopper-photo" }) { ...MarkedPhoto }
      print: demoImage(name: { eq: "hopper-document" }) { ...MarkedPhoto }
      demoSimilarity(source: { eq: "hopper-photo" }, target: { eq: "hopper-document" }) { similarity }
      contractLimits { thresholds { similarityDefault } }
    }
  `);
