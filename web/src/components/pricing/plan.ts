/** Types of the pricing page's query. */
type Data = QueryData<Queries.PricingPageQuery>;

export type Plan = Data['allContractPlan']['nodes'][number];
export type Units = Plan['quota']['productGroups'];
export type PricingTexts = Data['contentPricing'];
export type Product = Data['allContractProduct']['nodes'][number];
export type QuotaError = Data['contractError'];
