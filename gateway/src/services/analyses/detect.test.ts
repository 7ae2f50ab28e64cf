import type { InferenceClient } from '../inference/inference-client';
import type { AnalysisCall } from './analysis';
import { detectAnalysis } from './detect';

test('clients do not receive which faces only a detector sees', async () => {
  const faces = [{ confidence: 0.5, isConfirmed: false }, { confidence: 0.9 }];
  const inference = { detect: async () => ({ faces }) } as unknown as InferenceClient;
  const run = detectAnalysis(inference).prepare({ image: Buffer.from('ffd8ffe000104a464946', 'hex') });
  const call = { principal: { accountId: 'acc_a', mode: 'live' } } as unknown as AnalysisCall;
  expect(await run(call)).toEqual({
    hasFace: true,
    faceCount: 2,
    faces: [{ confidence: 0.5 }, { confidence: 0.9 }],
  });
});
