import type { Router } from 'express';
import type { Analyses } from '../../services/analyses';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /detect: the faces in one image. */
export const detectRoute = (services: AnalysisRouteServices & { readonly analyses: Analyses }): Router =>
  analysisRoute(services.analyses.detect, 'images', services);
