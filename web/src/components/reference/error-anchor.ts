/** INVALID_IMAGE is at #invalid-image. */
export const anchorOf = (code: string): string => code.toLowerCase().replace(/_/g, '-');
