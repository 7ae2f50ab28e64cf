/** The hosted page around the element. static/verify.js runs it, so that phones do not load React for it. */
import { BrandMark } from '../../components/ui/brand-mark';
import * as styles from './verification.module.css';

interface VerificationProps {
  brand: string;
  heading: string;
  noScript: { heading: string; text: string };
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'presenza-liveness': HTMLAttributes<HTMLElement> & { 'auto-return': true; stylesheet: string };
    }
  }
}

export const Verification = ({ brand, heading, noScript }: VerificationProps) => (
  <main id="content">
    <presenza-liveness className={styles.element} auto-return stylesheet="/liveness/liveness.css">
      <span slot="brand" className={styles.brand}>
        <BrandMark />
        {brand}
      </span>
      <noscript>
        <h2 className={styles.noScript}>{noScript.heading}</h2>
        <p>{noScript.text}</p>
      </noscript>
      {/* Shown until the element draws its first screen. */}
      <h1 className={styles.opening}>{heading}</h1>
    </presenza-liveness>
  </main>
);
