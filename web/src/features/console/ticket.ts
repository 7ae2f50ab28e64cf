/**
 * The secret of a mailed link. It is in the fragment, which browsers send to no server. A text that is no secret is refused
 * by the API like one that has expired.
 */
export const ticketOf = ({ hash }: Pick<Location, 'hash'>): string => hash.slice(1, 65) || '-';
