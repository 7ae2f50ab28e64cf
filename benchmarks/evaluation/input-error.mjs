/** A fault of the operator's input. The message is for the operator and names the file, and the line where there is one. */
export class InputError extends Error {
  /** @override */
  name = 'InputError';
}
