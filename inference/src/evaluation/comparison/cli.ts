/** `npm run evaluate`: error rates of the service on an operator's own labeled images, by group. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { choosePrecision } from '../../backends/precision';
import { printImages } from '../../commands/progress';
import { typedPath } from '../../commands/typed-path';
import { readConfig } from '../../config';
import { findServingModels, type ServingModels } from '../../serving/serving-models';
import { InputError } from '../input/input-error';
import { acquire } from './acquire';
import { evaluateDetection } from './detection';
import { renderDetection } from './detection-page';
import { type Labels, readLabels } from './labels';
import { renderPage } from './page';
import { applyRecipe, recipes } from './recipes';
import { evaluate } from './report';
import { openScores, writeScores } from './scores';
import { readWiderFace, widerFace } from './wider-face';

const defaultMaxPairs = 5_000_000;

const usage = `Usage: npm run evaluate -- FOLDER LABELS.csv [--out FOLDER] [--models ROLE=MODEL,...]
                         [--scores FILE.csv] [--pairs NUMBER]
       npm run evaluate -- FOLDER --recipe NAME [--out FOLDER] ...

FOLDER        contains the images
LABELS.csv    has the columns file (relative to FOLDER), person, and one for each kind of group
--recipe      reads a public set in place of labels: ${[...Object.keys(recipes), widerFace.name].join(', ')}
--out         folder of report.html and report.json; default: evaluation
--models      models in place of those of INFERENCE_MODELS
--scores      writes the similarity of every compared pair
--pairs       compares at most so many pairs of one person and of different people; default: ${defaultMaxPairs}`;

interface Options {
  readonly folder: string;
  /** Path of the labels, or the name of a recipe. */
  readonly from: { readonly labels: string } | { readonly recipe: string };
  readonly out: string;
  readonly models: string | undefined;
  readonly scores: string | undefined;
  readonly maxPairs: number;
}

async function run(options: Options): Promise<void> {
  const { folder, from, out, models, scores, maxPairs } = options;
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new InputError(`${folder} is not a folder.`);
  if ('recipe' in from && from.recipe === widerFace.name) return runDetection(options);
  const labels = 'recipe' in from ? applyRecipe(from.recipe, folder) : await readLabels(from.labels, folder);
  const serving = await readServing(models);
  for (const sentence of serving.missing) console.error(sentence);
  // Open the outputs first, because a run may take hours.
  await mkdir(out, { recursive: true });
  const scoresFile = scores === undefined ? undefined : await openScores(scores);
  const images = await acquire(labels.images, serving, printImages);
  const { columns, pairs, set }: Labels = labels;
  const evaluation = evaluate(images, { columns, serving, maxPairs, pairs, set, now: new Date() });
  await writeFile(join(out, 'report.json'), `${JSON.stringify(evaluation.report, null, 2)}\n`);
  await writeFile(join(out, 'report.html'), renderPage(evaluation.report));
  console.log(join(out, 'report.html'));
  if (!scoresFile) return;
  await writeScores(scoresFile, columns, evaluation);
  console.log(`${scores} holds scores of people, which are personal data: delete it when you are done.`);
}

/** Detection on WIDER FACE, which has boxes in place of people. */
async function runDetection({ folder, out, models }: Options): Promise<void> {
  const images = readWiderFace(folder);
  const serving = await readServing(models);
  for (const sentence of serving.missing) console.error(sentence);
  await mkdir(out, { recursive: true });
  const report = await evaluateDetection(images, { serving, onProgress: printImages, now: new Date() });
  await writeFile(join(out, 'detection.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'detection.html'), renderDetection(report));
  console.log(join(out, 'detection.html'));
}

/** The models that the tier would serve with on this processor. @throws InputError */
async function readServing(models: string | undefined): Promise<ServingModels> {
  try {
    const config = readConfig({ ...process.env, ...(models !== undefined && { INFERENCE_MODELS: models }) });
    const { MODELS_CACHE, MODELS_FOLDER: folder, INFERENCE_MODELS: chosen, INFERENCE_PRECISION } = config;
    const precision = choosePrecision(INFERENCE_PRECISION, { name: 'onnx', device: 'cpu' });
    return await findServingModels(MODELS_CACHE, { folder, chosen, precision });
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

/** @throws InputError with the usage */
function readOptions(args: string[]): Options {
  const { values, positionals } = parse(args);
  const [folder, labels, ...rest] = positionals;
  const { recipe } = values;
  const isComplete = (labels === undefined) !== (recipe === undefined);
  if (folder === undefined || !isComplete || rest.length > 0) throw new InputError(usage);
  const names = [...Object.keys(recipes), widerFace.name];
  if (recipe !== undefined && !names.includes(recipe))
    throw new InputError(`There is no recipe "${recipe}"; the recipes are ${names.join(', ')}.`);
  if (recipe === widerFace.name && (values.scores ?? values.pairs) !== undefined)
    throw new InputError(`--scores and --pairs are about pairs, which ${widerFace.set} do not have.`);
  const maxPairs = Number(values.pairs ?? defaultMaxPairs);
  if (!Number.isInteger(maxPairs) || maxPairs < 1) {
    throw new InputError(`--pairs takes a whole number from 1, not "${values.pairs}".`);
  }
  return {
    folder: typedPath(folder),
    from: recipe === undefined ? { labels: typedPath(labels as string) } : { recipe },
    out: typedPath(values.out ?? 'evaluation'),
    models: values.models,
    scores: values.scores === undefined ? undefined : typedPath(values.scores),
    maxPairs,
  };
}

function parse(args: string[]) {
  const option = { type: 'string' } as const;
  const options = { recipe: option, out: option, models: option, scores: option, pairs: option };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new InputError(`${(error as Error).message}\n\n${usage}`);
  }
}

async function main(args: string[]): Promise<void> {
  process.env.ORT_DISABLE_TELEMETRY ??= '1'; // main.ts of the tier does the same
  await run(readOptions(args));
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error instanceof InputError ? 2 : 1;
});
