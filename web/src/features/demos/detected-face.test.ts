import example from '@presenza/contract/examples/detect-response--attributes.json';
import schema from '@presenza/contract/schemas/head-pose.json';
import { type DetectedFace, fieldsOf } from './detected-face';
import { twoDecimals } from './text';

const [face] = example.data.faces as unknown as [DetectedFace];

test('values and names are those of the response', () => {
  const fields = Object.fromEntries(fieldsOf(face));
  expect(fields.confidence).toBe(twoDecimals(face.confidence));
  expect(fields.occluded).toBe(String(face.occluded.value));
  expect(fields.landmarks).toBe(String(face.attributes.landmarks.length));
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(schema.properties)));
});

test('degrees are integers with a minus sign and without a negative zero', () => {
  const pose = { yaw: -0.4, pitch: -12.6, roll: 3 };
  const fields = Object.fromEntries(fieldsOf({ ...face, attributes: { ...face.attributes, pose } }));
  expect([fields.yaw, fields.pitch, fields.roll]).toEqual(['0°', '−13°', '3°']);
});
