/** A liveness check step by step, with its requests and responses. */

import { graphql, useStaticQuery } from 'gatsby';
import { useState } from 'react';
import { track } from '../../analytics/track';
import { Button } from '../../components/ui/button';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { Frame } from './frame';
import { LivenessStage } from './liveness-stage';
import * as styles from './liveness-verification.module.css';

export default function LivenessVerification() {
  const { contentDemos, allExampleMessage } =
    useStaticQuery<QueryData<Queries.LivenessVerificationDemoQuery>>(query);
  const { steps, ...texts } = contentDemos.livenessVerification;
  const ready = useHasScript();
  const [index, setIndex] = useState(0);
  const { view, heading, text, example } = steps[index] as (typeof steps)[number];
  const html = allExampleMessage.nodes.find(({ name }) => name === example)?.html;
  const isLast = index === steps.length - 1;
  const go = (to: number) => {
    track('demo_used', { product: 'livenessVerification' });
    setIndex(to);
  };
  return (
    <Frame label={texts.label}>
      <div className={styles.walk}>
        <LivenessStage view={view} progress={index / (steps.length - 1)} />
        <div className={styles.step}>
          <div aria-live="polite">
            <p className={styles.progress}>
              {fill(texts.progress, { step: index + 1, steps: steps.length })}
            </p>
            <p className={styles.heading}>{heading}</p>
            <p>{text}</p>
          </div>
          {/* Highlighted by the build. */}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: an example of the contract */}
          {html && <div className={styles.example} dangerouslySetInnerHTML={{ __html: html }} />}
          <div className={styles.actions}>
            <Button variant="secondary" disabled={!ready || index === 0} onClick={() => go(index - 1)}>
              {texts.back}
            </Button>
            <Button variant="secondary" disabled={!ready} onClick={() => go(isLast ? 0 : index + 1)}>
              {isLast ? texts.again : texts.next}
            </Button>
          </div>
        </div>
      </div>
    </Frame>
  );
}

const query = graphql`
  query LivenessVerificationDemo {
    contentDemos {
      livenessVerification { label progress back next again steps { view heading text example } }
    }
    allExampleMessage(
      filter: {
        name: {
          in: [
            "liveness-request" "liveness-response"
            "liveness-session-response" "webhook-event--session-completed"
          ]
        }
      }
    ) {
      nodes { name html }
    }
  }
`;
