/** A product with its drawing and its billed unit. */
import { Link } from 'gatsby';
import { ProductDrawing } from '../drawings/product-drawing';
import * as styles from './product-card.module.css';

interface ProductCardProps {
  productId: string;
  label: string;
  text: string;
  uses: string;
  unit: string;
  unitLabel: string;
  to: string;
  learnMore: string;
}

export function ProductCard({
  productId,
  label,
  text,
  uses,
  unit,
  unitLabel,
  to,
  learnMore,
}: ProductCardProps) {
  return (
    <li className={styles.card}>
      <div className={styles.drawing}>
        <ProductDrawing productId={productId} />
      </div>
      <div className={styles.words}>
        <h2>{label}</h2>
        <p>{text}</p>
        <p className={styles.uses}>{uses}</p>
        <p className={styles.unit}>
          <strong>{unitLabel}</strong> {unit}
        </p>
        <p className={styles.more}>
          <Link to={to}>
            {learnMore}
            <span className={styles.hidden}>{`: ${label}`}</span>
          </Link>
        </p>
      </div>
    </li>
  );
}
