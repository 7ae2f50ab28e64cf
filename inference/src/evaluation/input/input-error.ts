/** A fault of the operator's input. The message names the file, and the line where there is one. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
