/** The anchor of INVALID_IMAGE is #invalid-image. */
export const anchorOf = (code: string): string => code.toLowerCase().replace(/_/g, '-');
