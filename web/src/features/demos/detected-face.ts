/** A detected face with the fields of the public API. */
import { twoDecimals } from './text';

export type DetectedFace =
  QueryData<Queries.FaceDetectionDemoQuery>['allDemoImage']['nodes'][number]['faces'][number];

/** The number of listed emotions; the others are near 0. */
const SHOWN_EMOTIONS = 2;

/** The field names of the JSON with formatted values: proportions with two decimals, degrees without. */
export function fieldsOf({ confidence, quality, occluded, attributes }: DetectedFace): [string, string][] {
  const { pose, emotions, ageRange, landmarks } = attributes;
  const degrees = (value: number) => `${Math.round(value) + 0}°`.replace('-', '−');
  return [
    ['confidence', twoDecimals(confidence)],
    ['brightness', twoDecimals(quality.brightness)],
    ['sharpness', twoDecimals(quality.sharpness)],
    ['occluded', String(occluded.value)],
    ['yaw', degrees(pose.yaw)],
    ['pitch', degrees(pose.pitch)],
    ['roll', degrees(pose.roll)],
    ['ageRange', `${ageRange.low}–${ageRange.high}`],
    [
      'emotions',
      emotions
        .slice(0, SHOWN_EMOTIONS)
        .map((emotion) => `${emotion.type} ${twoDecimals(emotion.confidence)}`)
        .join(', '),
    ],
    ['landmarks', String(landmarks.length)],
  ];
}
