/**
 * The frames of a recording: a folder of images with an optional times.csv, one image, or a video that a system's ffmpeg
 * decodes. Images are read one at a time, because a set can have thousands of recordings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readCsv } from '../../../dist/evaluation/input/csv.js';
import { InputError } from '../../../dist/evaluation/input/input-error.js';
import { asPageSends } from './page-frame.mjs';
import { limits, movements } from './product.mjs';

/** @typedef {import('./types').Source} Source */

const IMAGES = ['.jpg', '.jpeg', '.png', '.webp'];
const VIDEOS = ['.mp4', '.mov', '.avi', '.mkv', '.webm', '.m4v'];
/** Frame rate of a folder without times. */
const FRAMES_PER_SECOND = 30;
/** The wire accepts no later time. */
const LATEST_MS = 600_000;
/** Frames of a video that are decoded: as many as a verdict keeps, at the page's pace. */
const VIDEO_FRAMES = limits.attempt.maxFramesKept;

/**
 * @param {string} path
 * @returns {Promise<Source>}
 * @throws InputError
 */
export async function openSource(path) {
  if (!existsSync(path)) throw new InputError(`${path} does not exist.`);
  if (statSync(path).isDirectory()) return folderSource(path);
  const ending = extname(path).toLowerCase();
  if (IMAGES.includes(ending)) return { frames: [frameOf(path, 0)], camera: {} };
  if (VIDEOS.includes(ending)) return { frames: await videoFrames(path), camera: {} };
  throw new InputError(`${path} is neither a folder, nor an image (${IMAGES}), nor a video (${VIDEOS}).`);
}

/** @param {string} file @param {number} timeMs @param {import('./product.mjs').Movement} [prompt] @returns {import('./types').SourceFrame} */
const frameOf = (file, timeMs, prompt) => ({
  timeMs,
  ...(prompt && { prompt }),
  read: async () => {
    const bytes = await readFile(file).catch(({ code }) => {
      throw new InputError(`${file} cannot be read (${code}).`);
    });
    return asPageSends(bytes);
  },
});

/** @param {string} folder @returns {Source} */
function folderSource(folder) {
  const times = join(folder, 'times.csv');
  const frames = existsSync(times) ? timedFrames(folder, times) : framesByName(folder);
  if (frames.length === 0) throw new InputError(`${folder} has no images (${IMAGES.join(' ')}).`);
  return { frames, ...notesOf(join(folder, 'recording.json')) };
}

/** @param {string} folder */
const framesByName = (folder) =>
  readdirSync(folder)
    .filter((name) => IMAGES.includes(extname(name).toLowerCase()))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name, i) => frameOf(join(folder, name), Math.round((1000 * i) / FRAMES_PER_SECOND)));

/** @param {string} folder @param {string} file */
function timedFrames(folder, file) {
  const [header, ...lines] = readCsv(readFileSync(file, 'utf8'), file);
  const columns = header?.fields ?? [];
  for (const name of ['file', 'timeMs'])
    if (!columns.includes(name)) throw new InputError(`${file}, line 1: the column ${name} is missing.`);
  let before = 0;
  const frames = lines.map(({ number, fields }) => {
    const value = (/** @type {string} */ name) => fields[columns.indexOf(name)] ?? '';
    const timeMs = Number(value('timeMs'));
    if (!Number.isInteger(timeMs) || timeMs < before || timeMs > LATEST_MS)
      throw new InputError(
        `${file}, line ${number}: timeMs must be a whole number from ${before} to ${LATEST_MS}.`,
      );
    before = timeMs;
    if (!/^[^/\\]+$/.test(value('file')))
      throw new InputError(`${file}, line ${number}: file must name an image in ${folder}.`);
    const prompt = /** @type {import('./product.mjs').Movement | ''} */ (value('prompt')); // checked below
    return frameOf(join(folder, value('file')), timeMs, prompt || undefined);
  });
  checkPrompts(frames, file);
  return frames;
}

/** @param {readonly { prompt?: string }[]} frames @param {string} file @throws InputError */
function checkPrompts(frames, file) {
  const prompts = frames.map(({ prompt }) => prompt);
  if (prompts.every((prompt) => prompt === undefined)) return;
  const unknown = prompts.find((prompt) => !movements.some((movement) => movement === prompt));
  if (prompts.includes(undefined) || unknown !== undefined)
    throw new InputError(
      `${file}: prompt must be one of ${movements.join(', ')} in every line, or empty in all.`,
    );
  if (prompts[0] !== 'centre') throw new InputError(`${file}: the first prompt must be centre.`);
}

/** The notes of the recorder. @param {string} file @returns {Pick<Source, 'camera' | 'movements'>} */
function notesOf(file) {
  if (!existsSync(file)) return { camera: {} };
  try {
    const { camera = {}, movements: requested } = JSON.parse(readFileSync(file, 'utf8'));
    return { camera, ...(Array.isArray(requested) && { movements: requested }) };
  } catch {
    throw new InputError(`${file} is not JSON.`);
  }
}

/**
 * Writes the frames of a video as JPEG images. A file can be a playlist, whose parts ffmpeg must not fetch from the network.
 * @param {string} file
 */
export const ffmpegArguments = (file) => [
  '-v',
  'error',
  '-nostdin',
  '-protocol_whitelist',
  'file,pipe',
  '-i',
  file,
  '-an',
  '-vf',
  `fps=${1000 / limits.attempt.frameIntervalMs}`,
  '-frames:v',
  String(VIDEO_FRAMES),
  '-c:v',
  'mjpeg',
  '-q:v',
  '2',
  '-f',
  'image2pipe',
  '-',
];

/** @param {string} file @returns {Promise<import('./types').SourceFrame[]>} @throws InputError */
async function videoFrames(file) {
  const { frameIntervalMs } = limits.attempt;
  const child = spawn('ffmpeg', ffmpegArguments(file), { stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {[Buffer[], Buffer[]]} */
  const [out, err] = [[], []];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  const [code] = await once(child, 'close').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new InputError(
      `${file} is a video, and there is no ffmpeg on this machine: install it, or extract the frames into a folder.`,
    );
  });
  if (code !== 0) {
    const [line = ''] = Buffer.concat(err).toString('utf8').split('\n');
    throw new InputError(`ffmpeg cannot decode ${file}: ${line}`);
  }
  const images = splitJpegs(Buffer.concat(out));
  if (images.length === 0) throw new InputError(`${file} has no video frames.`);
  return images.map((image, i) => ({ timeMs: frameIntervalMs * i, read: () => asPageSends(image) }));
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** JPEG images one after the other: inside the data of an image, a zero follows each byte FF. @param {Buffer} bytes */
export function splitJpegs(bytes) {
  const images = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(END_OF_IMAGE, from);
    if (end < 0) break;
    images.push(bytes.subarray(from, end + 2));
    from = end + 2;
  }
  return images;
}
