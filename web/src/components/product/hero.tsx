import { Link } from 'gatsby';
import { SignUpButton } from '../../features/sign-up/sign-up-button';
import { PageIntro } from '../ui/page-intro';
import * as styles from './hero.module.css';
import type { Exchange, ProductPageWords, TitledText } from './product';

interface HeroProps extends TitledText {
  actions: ProductPageWords['actions'];
  reference: Exchange['reference'];
}

export function Hero({ heading, text, actions, reference }: HeroProps) {
  return (
    <div className={styles.hero}>
      <PageIntro heading={heading} lead={text}>
        <p className={styles.actions}>
          <SignUpButton plan={actions.plan}>{actions.signUp}</SignUpButton>
          <Link to={reference.to}>{reference.label}</Link>
        </p>
      </PageIntro>
    </div>
  );
}
