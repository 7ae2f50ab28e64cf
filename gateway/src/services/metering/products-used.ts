/** Usage by product and day. */
import products from '@presenza/contract/products.json';
import type { ProductId } from '../contract/products';

export interface ProductCounters {
  /** Units of each day of the month, from the 1st. */
  readonly days: readonly number[];
  /** Units that were counted before the service counted days. */
  readonly withoutDay: number;
}

export const totalOf = (units: readonly number[]): number => units.reduce((sum, count) => sum + count, 0);

export const usedOf = ({ days, withoutDay }: ProductCounters): number => withoutDay + totalOf(days);

/** Units of each product: in the month and, from the 1st, on each day; null if the days do not have all units of the month. */
export const productsUsed = (counters: Readonly<Record<ProductId, ProductCounters>>) =>
  products.map(({ id, productGroup }) => {
    const product = counters[id as ProductId];
    const daily = product.withoutDay > 0 ? null : product.days;
    return { product: id, group: productGroup, used: usedOf(product), daily };
  });
