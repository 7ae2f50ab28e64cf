import type { InferenceClient } from '../inference/inference-client';
import { TestImageClient } from '../test-images/test-image-client';
import type { Analysis } from './analysis';
import { compareAnalysis } from './compare';
import { detectAnalysis } from './detect';
import { type ModerateServices, moderateAnalysis } from './moderate';

export type Analyses = Readonly<Record<Analysis['name'], Analysis>>;

export interface AnalysisServices extends ModerateServices {
  readonly inference: InferenceClient;
}

export function createAnalyses(services: AnalysisServices): Analyses {
  const inference = new TestImageClient(services.inference);
  return {
    detect: detectAnalysis(inference),
    compare: compareAnalysis(inference),
    moderate: moderateAnalysis({ ...services, inference }),
  };
}
