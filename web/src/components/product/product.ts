/** Type of the product page's query. */
export type Product = QueryData<Queries.ProductPageQuery>['contentProducts'];
