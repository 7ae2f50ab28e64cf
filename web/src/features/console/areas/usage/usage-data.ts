/** Usage as charts and tables show it. */
import type { AccountUsage, ProductGroup } from '@presenza/contract/console/types.d.ts';
import { graphql, useStaticQuery } from 'gatsby';

/** Units by day under a label. */
export interface Series {
  readonly label: string;
  readonly days: readonly number[];
}

/** The products of a group by day, or the group as a whole where the days do not have all units of each product. */
export function seriesOf(
  { products, daily }: Pick<AccountUsage, 'products' | 'daily'>,
  group: ProductGroup,
  labels: { readonly group: string; product(id: string): string },
): readonly Series[] {
  const groupProducts = products.filter((product) => product.group === group);
  if (groupProducts.some((product) => product.daily === null)) {
    return [{ label: labels.group, days: daily.map((day) => day[group]) }];
  }
  return groupProducts.map(({ product, daily: days }) => ({
    label: labels.product(product),
    days: days ?? [],
  }));
}

/** The label of a product by its id. */
export function useProductLabel(): (id: string) => string {
  const { nodes } = useStaticQuery<QueryData<Queries.ConsoleProductsQuery>>(graphql`
    query ConsoleProducts {
      allContractProduct { nodes { productId label } }
    }
  `).allContractProduct;
  return (id) => nodes.find(({ productId }) => productId === id)?.label ?? id;
}
