/** Two portraits with their similarity and an adjustable threshold. */

import { graphql, useStaticQuery } from 'gatsby';
import { useId, useState } from 'react';
import { track } from '../../analytics/track';
import * as brackets from '../../components/ui/brackets.module.css';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { bandOf, isMatch, similarityOf, textOf } from './comparison';
import * as controls from './controls.module.css';
import * as styles from './face-comparison.module.css';
import { Frame } from './frame';
import { twoDecimals } from './text';
import { Threshold } from './threshold';

type Portrait = QueryData<Queries.FaceComparisonDemoQuery>['allDemoImage']['nodes'][number];

export default function FaceComparison() {
  const data = useStaticQuery<QueryData<Queries.FaceComparisonDemoQuery>>(query);
  const { photoNote, faceComparison: texts } = data.contentDemos;
  const { similarityDefault, guidance } = data.contractLimits.thresholds;
  const portraits = data.allDemoImage.nodes;
  const ready = useHasScript();
  const [chosen, setChosen] = useState([0, 1]);
  const [threshold, setThreshold] = useState(similarityDefault);

  const [source, target] = chosen.map((index) => portraits[index]) as [Portrait, Portrait];
  const similarity =
    source === target ? undefined : similarityOf(data.allDemoSimilarity.nodes, source.name, target.name);
  const matches = similarity !== undefined && isMatch(similarity, threshold);
  const choose = (side: number, index: number) => {
    track('demo_used', { product: 'faceComparison' });
    setChosen(chosen.map((before, i) => (i === side ? index : before)));
  };
  return (
    <Frame label={texts.label} note={photoNote}>
      <div className={styles.sides}>
        {texts.sides.map((label, side) => (
          <Side
            key={label}
            label={label}
            portraits={portraits}
            ready={ready}
            name={(index) => nameOf(texts.portrait, portraits, index)}
            chosen={chosen[side] as number}
            onChoose={(index) => choose(side, index)}
          />
        ))}
      </div>
      <Threshold
        label={texts.threshold}
        value={threshold}
        onChange={setThreshold}
        disabled={!ready}
        marks={similarity === undefined ? [] : [{ name: texts.similarity, value: similarity }]}
        bands={guidance}
        band={bandOf(guidance, threshold)?.label}
      />
      <p className={styles.verdict} data-match={matches} aria-live="polite">
        {similarity === undefined
          ? texts.same
          : fill(matches ? texts.match : texts.noMatch, {
              similarity: twoDecimals(similarity),
              threshold: twoDecimals(threshold),
            })}
        {similarity !== undefined &&
          [source, target].map(({ warnings }, side) =>
            warnings.length === 0 ? null : (
              <span key={texts.sides[side]} className={styles.warning}>
                {fill(texts.warned, {
                  side: texts.sides[side] as string,
                  warnings: textOf(warnings, texts.warnings),
                })}
              </span>
            ),
          )}
      </p>
    </Frame>
  );
}

interface SideProps {
  label: string;
  portraits: readonly Portrait[];
  name: (index: number) => string;
  chosen: number;
  onChoose: (index: number) => void;
  ready: boolean;
}

function Side({ label, portraits, name, chosen, onChoose, ready }: SideProps) {
  const group = useId();
  const { src, width, height } = portraits[chosen] as Portrait;
  return (
    <fieldset className={styles.side} disabled={!ready}>
      <legend>{label}</legend>
      <div className={styles.body}>
        <div className={`${brackets.brackets} ${styles.large}`}>
          <img src={src} width={width} height={height} alt={name(chosen)} fetchPriority="high" />
        </div>
        <div className={styles.choices}>
          {portraits.map((portrait, index) => (
            <label key={portrait.name} className={controls.cover}>
              <input
                type="radio"
                name={group}
                checked={index === chosen}
                onChange={() => onChoose(index)}
                aria-label={name(index)}
              />
              <img src={portrait.thumbnail} width={portrait.width} height={portrait.height} alt="" />
            </label>
          ))}
        </div>
      </div>
    </fieldset>
  );
}

/** Names people by letters in order of appearance, and numbers their images. */
function nameOf(pattern: string, portraits: readonly Portrait[], index: number): string {
  const people = [...new Set(portraits.map(({ person }) => person))];
  const { person } = portraits[index] as Portrait;
  const number = portraits.slice(0, index + 1).filter((other) => other.person === person).length;
  return fill(pattern, { person: String.fromCharCode(65 + people.indexOf(person)), number });
}

const query = graphql`
  query FaceComparisonDemo {
    contentDemos {
      photoNote
      faceComparison {
        label sides portrait similarity threshold match noMatch same warned warnings { warning text }
      }
    }
    contractLimits { thresholds { similarityDefault guidance { label from to } } }
    allDemoImage(filter: {kind: { eq: "portrait" }}, sort: { position: ASC }) {
      nodes { name person src thumbnail width height warnings }
    }
    allDemoSimilarity { nodes { source target similarity } }
  }
`;
