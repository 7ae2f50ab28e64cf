/** Two images side by side, with lines from the source face to each face that matches. */
import type { BoundingBox, ComparisonResult, FaceWarning } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { boxOf } from '../../../demos/face-geometry';
import { twoDecimals } from '../../../demos/text';
import { Table } from '../../parts/table';
import { useConsole } from '../../state/context';
import type { ChosenImage } from './images';
import * as styles from './result.module.css';

/** A face of either image. */
interface ComparedFace {
  readonly boundingBox: BoundingBox;
  readonly warnings?: readonly FaceWarning[];
  /** Present if the face matches. */
  readonly similarity?: number;
}

interface CompareResultProps {
  images: readonly [ChosenImage, ChosenImage];
  data: ComparisonResult;
  threshold: number;
}

export function CompareResult({ images, data, threshold }: CompareResultProps) {
  const { compare: texts } = useConsole().texts.playground;
  const { sourceImageFace, matchedFaces, unmatchedFaces } = data;
  const faces: readonly ComparedFace[] = [...matchedFaces, ...unmatchedFaces];
  const values = { count: matchedFaces.length, faces: faces.length, threshold: twoDecimals(threshold) };
  const verdict = matchedFaces.length > 0 ? texts.match : faces.length > 0 ? texts.noMatch : texts.noFace;
  const summary = fill(verdict, values);
  const warningsOf = ({ warnings = [] }: ComparedFace) =>
    warnings.map((warning) => texts[warning]).join(', ') || texts.none;
  return (
    <>
      <Drawing images={images} data={data} label={summary} />
      <p className={styles.summary} role="status">
        {summary}
      </p>
      <Table label={texts.faces} columns={[texts.face, texts.similarity, texts.warnings]}>
        <tr>
          <th scope="row">{texts.source}</th>
          <td>–</td>
          <td>{warningsOf(sourceImageFace)}</td>
        </tr>
        {faces.map((face, index) => (
          <tr key={`${face.boundingBox.left} ${face.boundingBox.top}`}>
            <th scope="row">{index + 1}</th>
            <td>
              {face.similarity === undefined
                ? fill(texts.below, { threshold: twoDecimals(threshold) })
                : twoDecimals(face.similarity)}
            </td>
            <td>{warningsOf(face)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** Height of both images, and the space between them, in drawing units. */
const height = 400;
const gap = 60;

type DrawingProps = Pick<CompareResultProps, 'images' | 'data'> & { label: string };

function Drawing({ images: [source, target], data, label }: DrawingProps) {
  const [first, second] = [source, target].map((image) => (image.width / image.height) * height) as [
    number,
    number,
  ];
  const start = first + gap;
  // Longer labels of neighbors would overlap. The table below has the similarities as well.
  const isCrowded = data.matchedFaces.length > 2;
  const from = boxOf(data.sourceImageFace, { width: first, height });
  const boxIn = (face: ComparedFace) => {
    const box = boxOf(face, { width: second, height });
    return { ...box, x: box.x + start };
  };
  return (
    <svg className={styles.pair} viewBox={`0 0 ${start + second} ${height}`} role="img" aria-label={label}>
      <image href={source.dataUri} width={first} height={height} />
      <image href={target.dataUri} x={start} width={second} height={height} />
      <rect {...from} />
      {data.unmatchedFaces.map((face) => {
        const box = boxIn(face);
        return <rect key={`${box.x} ${box.y}`} {...box} data-unmatched />;
      })}
      {data.matchedFaces.map((face, index) => {
        const box = boxIn(face);
        const [fromY, toY] = [from.y + from.height / 2, box.y + box.height / 2];
        return (
          <g key={`${box.x} ${box.y}`} data-match>
            <path d={`M${from.x + from.width} ${fromY}L${box.x} ${toY}`} />
            <rect {...box} />
            <text x={box.x + box.width / 2} y={box.y > 40 ? box.y - 10 : box.y + box.height + 32}>
              {isCrowded ? index + 1 : `${index + 1}: ${twoDecimals(face.similarity)}`}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
