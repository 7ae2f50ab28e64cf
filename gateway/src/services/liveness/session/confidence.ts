/** Four digits are more than the measurements carry. Every confidence is rounded before it is stored or compared. */
export const roundedConfidence = (confidence: number): number => Math.round(confidence * 1e4) / 1e4;
