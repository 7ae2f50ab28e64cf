import { Link } from 'gatsby';
import { SignUpButton } from '../../features/sign-up/sign-up-button';
import { PageIntro } from '../ui/page-intro';
import * as styles from './hero.module.css';
import type { Product } from './product';

type HeroProps = Product['hero'] & {
  /** Label of the sign-up button. */
  start: string;
  reference: Product['exchange']['reference'];
};

export function Hero({ heading, text, start, reference }: HeroProps) {
  return (
    <div className={styles.hero}>
      <PageIntro heading={heading} lead={text}>
        <p className={styles.actions}>
          <SignUpButton plan="free">{start}</SignUpButton>
          <Link to={reference.to}>{reference.label}</Link>
        </p>
      </PageIntro>
    </div>
  );
}
