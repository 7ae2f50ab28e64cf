import type { CategoryStore } from '../categories';
import type { InferenceClient } from '../inference-client';
import type { Analysis } from './analysis';
import { compareAnalysis } from './compare';
import { detectAnalysis } from './detect';
import { moderateAnalysis } from './moderate';

export type Analyses = Readonly<Record<Analysis['name'], Analysis>>;

export interface AnalysisServices {
  readonly inference: InferenceClient;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
}

export const createAnalyses = ({ inference, categories }: AnalysisServices): Analyses => ({
  detect: detectAnalysis(inference),
  compare: compareAnalysis(inference),
  moderate: moderateAnalysis({ inference, categories }),
});
