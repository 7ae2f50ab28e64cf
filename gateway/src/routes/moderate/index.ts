import type { Router } from 'express';
import type { Analyses } from '../../services/analyses';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /moderate: what one image shows that a site may not want. */
export const moderateRoute = (
  api: Router,
  services: AnalysisRouteServices & { readonly analyses: Analyses },
): void => analysisRoute(api, { analysis: services.analyses.moderate, forms: 'images' }, services);
