/** The page of a product, as its template queries it. */
export type Product = QueryData<Queries.ProductPageQuery>['contentProducts'];
