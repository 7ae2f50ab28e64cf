import type { Router } from 'express';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /moderate: finds content in one image that a site may not want. */
export const moderateRoute = (api: Router, services: AnalysisRouteServices): void =>
  analysisRoute(api, 'moderate', 'images', services);
