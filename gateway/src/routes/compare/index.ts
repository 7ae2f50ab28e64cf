import type { Router } from 'express';
import type { Analyses } from '../../services/analyses';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /compare: the largest face of one image among the faces of another. */
export const compareRoute = (
  api: Router,
  services: AnalysisRouteServices & { readonly analyses: Analyses },
): void => analysisRoute(api, { analysis: services.analyses.compare, forms: 'forms' }, services);
