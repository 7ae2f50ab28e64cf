/** ISO 8601 in UTC, as the contract writes times. @param ms milliseconds since 1970 */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
