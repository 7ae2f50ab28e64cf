import type { Router } from 'express';
import { type AnalysisRouteServices, analysisRoute } from '../analysis-route';

/** POST /detect: finds the faces in one image. */
export const detectRoute = (api: Router, services: AnalysisRouteServices): void =>
  analysisRoute(api, 'detect', 'images', services);
