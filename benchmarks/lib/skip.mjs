/** A measurement that cannot be taken here, with the sentence that says why. It is neither a result nor a failure. */
export class Skip extends Error {
  /** @override */
  name = 'Skip';
}
