/**
 * Tests the Java library against the service at API_URL with API_KEY and the photo IMAGE, and runs the README's first example
 * and the failure scenarios in a clean folder.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFolder } from '../../../harness/index.mjs';
import { tryFailures } from '../failures/run.mjs';
import { firstExample } from '../first-example.mjs';
import { buildLibrary } from '../packages/build.mjs';
import { webhookExample } from '../webhook-example.mjs';

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = await buildLibrary('java');
const target = join(build, 'target');
const pom = readFileSync(join(folder, 'pom.xml'), 'utf8');
const [, version] = /<artifactId>presenza<\/artifactId>\s+<version>(.+)<\/version>/.exec(pom);
const libraries = ['--define', 'includeScope=runtime', '--define', `outputDirectory=${join(target, 'lib')}`];
cpSync(join(folder, 'src/test'), join(build, 'src/test'), { recursive: true });
writeFileSync(join(build, 'contract/webhook.json'), JSON.stringify(webhookExample()));
execFileSync('mvn', ['--batch-mode', '--quiet', 'package', COPY_DEPENDENCIES, ...libraries], {
  cwd: build,
  stdio: 'inherit',
});

await withFolder(async (clean) => {
  writeFileSync(join(clean, 'Example.java'), firstExample(folder, 'java'));
  const classPath = [join(target, `presenza-${version}.jar`), join(target, 'lib/*')].join(':');
  const example = ['-cp', classPath, 'Example.java'];
  const printed = execFileSync('java', example, { cwd: clean, encoding: 'utf8' });
  if (!/^http\S+\n$/.test(printed)) throw new Error(`The example printed ${printed}`);
  await tryFailures(clean, ['java', '-cp', classPath, join(folder, 'Failures.java')]);
});
process.stdout.write('The README works in a clean folder.\n');
