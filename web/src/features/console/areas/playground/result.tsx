/** The result of a run: drawn, in words, and as JSON. */
import type { KeyMode } from '@presenza/contract/console/types.d.ts';
import { useEffect, useRef } from 'react';
import { CodeBlock } from '../../../../components/code/code-block';
import { Disclosure } from '../../../../components/ui/disclosure';
import { fill } from '../../../../fill';
import { Block } from '../../parts/page';
import { useConsole } from '../../state/context';
import { CompareResult } from './compare-result';
import { DetectResult } from './detect-result';
import type { ChosenImage } from './images';
import { ModerateResult } from './moderate-result';
import type { OperationName, Options, Results } from './operations';
import * as styles from './result.module.css';

/** A response with all that was asked. */
export interface Run {
  readonly id: number;
  readonly operation: OperationName;
  readonly mode: KeyMode;
  readonly images: readonly ChosenImage[];
  readonly options: Options;
  readonly data: Results[OperationName];
  readonly ms: number;
}

/** It comes into view and gets the focus, because it begins below the choices, which may fill a screen. */
export function Result({ run }: { run: Run }) {
  const { result: texts } = useConsole().texts.playground;
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has a result of its own
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView();
  }, [run.id]);
  return (
    <section ref={box} aria-label={texts.title} tabIndex={-1} className={styles.result}>
      <Block title={texts.title}>
        <p className={styles.facts}>
          <span>{texts[run.mode]}</span>
          <span>{fill(texts.took, { ms: run.ms })}</span>
        </p>
        <Drawn key={run.id} {...run} />
        <div className={styles.json}>
          <Disclosure summary={texts.json}>
            <CodeBlock className="code" tabIndex={0}>
              <code>{JSON.stringify(run.data, null, 2)}</code>
            </CodeBlock>
          </Disclosure>
        </div>
      </Block>
    </section>
  );
}

function Drawn({ operation, images, options, data }: Run) {
  const [first, second] = images;
  if (!first) return null;
  switch (operation) {
    case 'detect':
      return <DetectResult image={first} faces={(data as Results['detect']).faces} />;
    case 'compare':
      return second ? (
        <CompareResult
          images={[first, second]}
          data={data as Results['compare']}
          threshold={options.similarityThreshold}
        />
      ) : null;
    case 'moderate':
      return (
        <ModerateResult
          image={first}
          elements={(data as Results['moderate']).detectedElements}
          threshold={options.confidenceThreshold}
        />
      );
  }
}
