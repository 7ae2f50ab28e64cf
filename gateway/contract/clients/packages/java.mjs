/**
 * The Java library as a Maven project. `mvn install` generates the methods and types from the contract in it, and compiles
 * them. A build without Java cannot do that, so this package has no JAR file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { clientDocument, retryable } from '../document.mjs';

/** @returns {Record<string, string>} by path */
export function javaPackage() {
  const read = (path) => readFileSync(new URL(`../java/${path}`, import.meta.url), 'utf8');
  const below = (folder) =>
    readdirSync(new URL(`../java/${folder}`, import.meta.url)).map((name) => `${folder}/${name}`);
  const paths = ['pom.xml', 'README.md', ...below('src/main/java/presenza'), ...below('templates')];
  const codes = Object.entries(retryable()).map(([code, isRetryable]) => ({ code, retryable: isRetryable }));
  return {
    ...Object.fromEntries(paths.map((path) => [path, read(path)])),
    LICENSE: read('../../../../LICENSE'),
    'contract/openapi.json': JSON.stringify({ ...clientDocument(), 'x-codes': codes }),
  };
}
