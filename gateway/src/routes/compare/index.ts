import type { Router } from 'express';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /compare: finds the largest face of one image among the faces of another. */
export const compareRoute = (api: Router, services: AnalysisRouteServices): void =>
  analysisRoute(api, 'compare', 'forms', services);
