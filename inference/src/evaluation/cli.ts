/** `npm run evaluate`: error rates of the service on an operator's own labeled images, by group. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { choosePrecision } from '../backends/precision';
import { printImages } from '../commands/progress';
import { typedPath } from '../commands/typed-path';
import { readConfig } from '../config';
import { findServingModels, type ServingModels } from '../serving/serving-models';
import { acquire } from './acquire';
import { InputError, readLabels } from './labels';
import { renderPage } from './page';
import { evaluate } from './report';
import { openScores, writeScores } from './scores';

const defaultMaxPairs = 5_000_000;

const usage = `Usage: npm run evaluate -- FOLDER LABELS.csv [--out FOLDER] [--models ROLE=MODEL,...]
                         [--scores FILE.csv] [--pairs NUMBER]

FOLDER        contains the images
LABELS.csv    has the columns file (relative to FOLDER), person, and one for each kind of group
--out         folder of report.html and report.json; default: evaluation
--models      models in place of those of INFERENCE_MODELS
--scores      writes the similarity of every compared pair
--pairs       compares at most so many pairs of one person and of different people; default: ${defaultMaxPairs}`;

interface Options {
  readonly folder: string;
  readonly labels: string;
  readonly out: string;
  readonly models: string | undefined;
  readonly scores: string | undefined;
  readonly maxPairs: number;
}

async function run(options: Options): Promise<void> {
  const { folder, labels: labelsPath, out, models, scores, maxPairs } = options;
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new InputError(`${folder} is not a folder.`);
  const labels = await readLabels(labelsPath, folder);
  const serving = await readServing(models);
  for (const sentence of serving.missing) console.error(sentence);
  // Opened first, because a run may take hours.
  await mkdir(out, { recursive: true });
  const scoresFile = scores === undefined ? undefined : await openScores(scores);
  const images = await acquire(labels.images, serving, printImages);
  const { columns } = labels;
  const evaluation = evaluate(images, { columns, serving, maxPairs, now: new Date() });
  await writeFile(join(out, 'report.json'), `${JSON.stringify(evaluation.report, null, 2)}\n`);
  await writeFile(join(out, 'report.html'), renderPage(evaluation.report));
  console.log(join(out, 'report.html'));
  if (!scoresFile) return;
  await writeScores(scoresFile, columns, evaluation);
  console.log(`${scores} holds scores of people, which are personal data: delete it when you are done.`);
}

/** The models that the tier would serve with on this processor. @throws InputError */
async function readServing(models: string | undefined): Promise<ServingModels> {
  try {
    const config = readConfig({ ...process.env, ...(models !== undefined && { INFERENCE_MODELS: models }) });
    const { MODELS_CACHE, MODELS_FOLDER: folder, INFERENCE_MODELS: chosen, INFERENCE_PRECISION } = config;
    const precision = await choosePrecision(INFERENCE_PRECISION, { name: 'onnx', device: 'cpu' });
    return await findServingModels(MODELS_CACHE, { folder, chosen, precision });
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

/** @throws InputError with the usage */
function readOptions(args: string[]): Options {
  const { values, positionals } = parse(args);
  const [folder, labels, ...rest] = positionals;
  if (folder === undefined || labels === undefined || rest.length > 0) throw new InputError(usage);
  const maxPairs = Number(values.pairs ?? defaultMaxPairs);
  if (!Number.isInteger(maxPairs) || maxPairs < 1) {
    throw new InputError(`--pairs takes a whole number from 1, not "${values.pairs}".`);
  }
  return {
    folder: typedPath(folder),
    labels: typedPath(labels),
    out: typedPath(values.out ?? 'evaluation'),
    models: values.models,
    scores: values.scores === undefined ? undefined : typedPath(values.scores),
    maxPairs,
  };
}

function parse(args: string[]) {
  const option = { type: 'string' } as const;
  const options = { out: option, models: option, scores: option, pairs: option };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new InputError(`${(error as Error).message}\n\n${usage}`);
  }
}

async function main(args: string[]): Promise<void> {
  process.env.ORT_DISABLE_TELEMETRY ??= '1'; // as in the tier's main.ts
  await run(readOptions(args));
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error instanceof InputError ? 2 : 1;
});
