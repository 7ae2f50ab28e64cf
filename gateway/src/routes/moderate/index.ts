import type { Router } from 'express';
import type { Analyses } from '../../services/analyses';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /moderate: what one image shows that a site may not want. */
export const moderateRoute = (services: AnalysisRouteServices & { readonly analyses: Analyses }): Router =>
  analysisRoute(services.analyses.moderate, 'images', services);
