/** The dates of a deprecated operation or version, such as `2027-01-31`. Each begins at midnight UTC. */
export interface Lifetime {
  readonly deprecatedAt?: string | undefined;
  readonly sunsetAt?: string | undefined;
}
