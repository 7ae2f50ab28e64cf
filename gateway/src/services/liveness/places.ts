/** Where what is sealed of an attempt lies: it opens nowhere else. */

export const framePlace = (sessionId: string, attemptId: string, number: number): string =>
  `${sessionId}/${attemptId}/frame/${number}`;

export const cameraPlace = (sessionId: string, attemptId: string): string =>
  `${sessionId}/${attemptId}/camera`;
