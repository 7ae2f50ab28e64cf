/** Types of the reference page's query. gatsby/reference derives the data from the contract. */
export type ReferenceData = QueryData<Queries.ReferencePageQuery>;

export type Field = Queries.ReferenceFieldFragment;
/** A parameter or a header: headers have no place. */
export type Parameter = Omit<Field, 'path' | 'depth'> & { place?: string | null; example?: string | null };
export type Body = Queries.ReferenceBodyFragment;
export type Example = Body['examples'][number];
export type Status = Queries.ReferenceStatusFragment;
export type Operation = ReferenceData['allContractOperation']['nodes'][number];
