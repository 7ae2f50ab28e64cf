import { Fragment, type ReactNode } from 'react';
import * as styles from './facts.module.css';

type Fact = readonly [label: string, value: ReactNode];

/** Names and values, such as the settings of an endpoint. Leaves out those without a value. */
export const Facts = ({ facts }: { facts: readonly (Fact | undefined | false)[] }) => (
  <dl className={styles.facts}>
    {facts.map(
      (fact) =>
        fact && (
          <Fragment key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </Fragment>
        ),
    )}
  </dl>
);
