import { SignUpButton } from '../../features/sign-up/sign-up-button';
import { ButtonLink } from '../ui/button';
import * as styles from './closing.module.css';
import type { ProductPageWords, TitledText } from './product';

/** What to do next. */
export function Closing({ heading, text, actions }: TitledText & { actions: ProductPageWords['actions'] }) {
  const { documentation, plan, signUp } = actions;
  return (
    <section className={styles.closing}>
      <h2>{heading}</h2>
      <p>{text}</p>
      <p className={styles.actions}>
        <SignUpButton plan={plan}>{signUp}</SignUpButton>
        <ButtonLink look="secondary" to={documentation.to}>
          {documentation.label}
        </ButtonLink>
      </p>
    </section>
  );
}
