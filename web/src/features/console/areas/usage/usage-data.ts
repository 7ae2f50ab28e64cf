/** Usage as the API shows it. */
import { graphql, useStaticQuery } from 'gatsby';
import type { Group } from '../../account-data';

export type Mode = 'live' | 'test';

interface Overage {
  readonly overageUnits: number;
  readonly overageCost: number;
}

export interface GroupUsage extends Overage {
  readonly quota: number;
  readonly used: number;
  readonly reserved: number;
  readonly remaining: number;
}

export interface Forecast extends Overage {
  /** Expected at the end of the month. */
  readonly units: number;
  /** Relative to the quota; null without a quota. */
  readonly share: number | null;
}

export interface ProductUsage {
  readonly product: string;
  readonly group: Group;
  readonly used: number;
  /** From the 1st; null if the days do not have all units of the month. */
  readonly daily: readonly number[] | null;
}

export interface Usage {
  readonly plan: string;
  readonly currency: string;
  readonly period: { readonly start: string; readonly end: string };
  readonly productGroups: Readonly<Record<Group, GroupUsage>>;
  readonly overageCost: number;
  readonly daily: readonly ({ readonly date: string } & Readonly<Record<Group, number>>)[];
  readonly products: readonly ProductUsage[];
  readonly forecast: Readonly<Record<Group, Forecast>> | null;
}

/** Units by day under a label. */
export interface Series {
  readonly label: string;
  readonly days: readonly number[];
}

/** The products of a group by day, or the group as a whole where the days do not have all units of each product. */
export function seriesOf(
  { products, daily }: Pick<Usage, 'products' | 'daily'>,
  group: Group,
  labels: { readonly group: string; product(id: string): string },
): readonly Series[] {
  const own = products.filter((one) => one.group === group);
  if (own.some((one) => one.daily === null)) {
    return [{ label: labels.group, days: daily.map((day) => day[group]) }];
  }
  return own.map(({ product, daily: days }) => ({ label: labels.product(product), days: days ?? [] }));
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
