/** Why an image is refused: the reasons of INVALID_IMAGE in the contract. */
export type ImageFault =
  | 'format'
  | 'corrupt'
  | 'truncated'
  | 'dimensions'
  | 'side'
  | 'animation'
  | 'scans'
  | 'jpegCoding'
  | 'sequence';

export class ImageError extends Error {
  override readonly name = 'ImageError';
  constructor(
    readonly fault: ImageFault,
    /** Numbers for the text of the reason. */
    readonly values: Readonly<Record<string, number>> = {},
    options?: ErrorOptions,
  ) {
    super(`Image refused: ${fault}`, options);
  }
}
