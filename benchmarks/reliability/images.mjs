import sharp from 'sharp';
import { demoPhotos } from '../lib/material.mjs';

/** Data URIs of small images with faces: the speed of the models does not matter here. */
export async function smallImages(most = Number.POSITIVE_INFINITY) {
  const photos = demoPhotos().slice(0, most);
  const images = await Promise.all(
    photos.map(({ bytes }) => sharp(bytes).resize({ width: 400 }).jpeg().toBuffer()),
  );
  return images.map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`);
}
