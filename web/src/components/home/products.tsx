import { ProductDrawing } from '../drawings/product-drawing';
import * as styles from './products.module.css';

export interface Product {
  productId: string;
  label: string;
  description: string;
}

interface ProductsProps {
  heading: string;
  lead: string;
  products: Product[];
}

export function Products({ heading, lead, products }: ProductsProps) {
  return (
    <section id="products" className={styles.section}>
      <h2>{heading}</h2>
      <p className={styles.lead}>{lead}</p>
      <ul className={styles.grid}>
        {products.map(({ productId, label, description }) => (
          <li key={productId} className={styles.card}>
            <ProductDrawing productId={productId} />
            <h3>{label}</h3>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
