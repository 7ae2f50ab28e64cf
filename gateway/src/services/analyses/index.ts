import type { InferenceClient } from '../inference/inference-client';
import type { Analysis } from './analysis';
import { compareAnalysis } from './compare';
import { detectAnalysis } from './detect';
import { type ModerateServices, moderateAnalysis } from './moderate';

export type Analyses = Readonly<Record<Analysis['name'], Analysis>>;

export interface AnalysisServices extends ModerateServices {
  readonly inference: InferenceClient;
}

export const createAnalyses = (services: AnalysisServices): Analyses => ({
  detect: detectAnalysis(services.inference),
  compare: compareAnalysis(services.inference),
  moderate: moderateAnalysis(services),
});
