/** The decoding of one task's images: until when somebody waits for it, and what it has cost. */
export interface DecodingBudget {
  /** Milliseconds until the deadline, possibly infinite; 0 or less once nobody waits for the result. */
  leftMs(): number;
  /** @throws DeadlineError or AbandonedError once nobody waits for the result */
  check(): void;
  /** Counts the price of an image. @param ms of a core of the machine on which prices were measured */
  spend(ms: number): void;
}

/** The decoding of a command or a test, which waits as long as it takes. */
export const patient: DecodingBudget = {
  leftMs: () => Number.POSITIVE_INFINITY,
  check() {},
  spend() {},
};
