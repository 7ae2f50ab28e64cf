/** The models of the check, beside which rooms can be rendered. */
import sharp from 'sharp';
import { openFaces } from './faces.mjs';

export async function openModels() {
  const faces = await openFaces();
  // The tier's code blocks all loaders but its own, and rooms are drawn as SVG.
  sharp.unblock({ operation: ['VipsForeignLoad'] });
  return faces;
}
