import { versionDates } from '../contract/versions';
import type { InferenceClient } from '../inference/inference-client';
import type { AnalysisCall } from './analysis';
import { compareAnalysis } from './compare';

const quality = { brightness: 0.5, sharpness: 0.5 };
const boundingBox = { left: 0, top: 0, width: 1, height: 1 };
const face = { confidence: 0.9, boundingBox, quality, warnings: ['blur', 'occluded', 'turned'] as const };
/** A warning that only a newer inference tier has. */
const newer = { ...face, warnings: ['blur', 'tinted'] as const };
const targets = [
  { ...face, similarity: 0.9 },
  { ...face, warnings: ['border', 'unclear'] as const, similarity: 0.1 },
];
const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');

function compare(apiVersion: string, reply: object) {
  const inference = { compare: async () => reply } as unknown as InferenceClient;
  const run = compareAnalysis(inference).prepare({ sourceImage: jpeg, targetImage: jpeg });
  const call = { principal: { accountId: 'acc_a', mode: 'live' }, apiVersion } as unknown as AnalysisCall;
  // biome-ignore lint/suspicious/noExplicitAny: the results of other analyses have no such fields
  return run(call) as Promise<any>;
}

async function warnings(apiVersion: string, source: object = face) {
  const { sourceImageFace, matchedFaces, unmatchedFaces } = await compare(apiVersion, { source, targets });
  return [sourceImageFace, ...matchedFaces, ...unmatchedFaces].map((face) => face.warnings);
}

test('clients of the first version receive only the warnings that it has', async () => {
  expect(await warnings('2026-11-23')).toEqual([['blur'], ['blur'], []]);
});

test('clients of the newest version receive all warnings', async () => {
  expect(await warnings(versionDates[0] as string)).toEqual([
    face.warnings,
    face.warnings,
    ['border', 'unclear'],
  ]);
});

test('clients never receive warnings that the contract does not list', async () => {
  for (const version of versionDates) expect((await warnings(version, newer))[0]).toEqual(['blur']);
});

test('matched faces are sorted by similarity and the others by size', async () => {
  const sized = (width: number, similarity: number) => ({
    ...face,
    boundingBox: { ...boundingBox, width },
    similarity,
  });
  const seen = [sized(0.2, 0.95), sized(0.4, 0.9), sized(0.1, 0.3), sized(0.5, 0.2), sized(0.3, 0.1)];
  const reply = await compare(versionDates[0] as string, { source: face, targets: seen });
  const widths = (faces: (typeof face)[]) => faces.map((item) => item.boundingBox.width);
  expect(widths(reply.matchedFaces)).toEqual([0.2, 0.4]);
  expect(widths(reply.unmatchedFaces)).toEqual([0.5, 0.3, 0.1]);
});
