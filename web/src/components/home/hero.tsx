import { SignUpButton } from '../../features/sign-up/sign-up-button';
import { HeroDrawing } from '../drawings/hero-drawing';
import { ButtonLink } from '../ui/button';
import * as styles from './hero.module.css';

type HeroProps = QueryData<Queries.HomePageQuery>['contentHome']['hero'];

export function Hero({ heading, lead, start, documentation, drawing, command, commandNote }: HeroProps) {
  return (
    <section className={styles.hero}>
      <div>
        <h1>{heading}</h1>
        <p className={styles.lead}>{lead}</p>
        <p className={styles.actions}>
          <SignUpButton plan="free">{start}</SignUpButton>
          <ButtonLink to={documentation.to} look="secondary">
            {documentation.label}
          </ButtonLink>
        </p>
        <p className={styles.command}>
          <code>{command}</code>
          <span>{commandNote}</span>
        </p>
      </div>
      <div className={styles.drawing}>
        <HeroDrawing label={drawing} />
      </div>
    </section>
  );
}
