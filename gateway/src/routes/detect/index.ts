import type { Router } from 'express';
import type { Analyses } from '../../services/analyses';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /detect: the faces in one image. */
export const detectRoute = (
  api: Router,
  services: AnalysisRouteServices & { readonly analyses: Analyses },
): void => analysisRoute(api, { analysis: services.analyses.detect, forms: 'images' }, services);
