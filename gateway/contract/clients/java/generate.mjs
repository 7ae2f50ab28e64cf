/**
 * Writes what pom.xml generates the Java library from into `build/contract`. `mvn package` then writes, compiles and tests the
 * library in `build`. Needs Java 17 and Maven.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientDocument, retryable } from '../document.mjs';
import { webhookExample } from '../webhook-example.mjs';

const write = (name, value) => writeFileSync(new URL(name, contract), JSON.stringify(value));

const contract = new URL('build/contract/', import.meta.url);
mkdirSync(fileURLToPath(contract), { recursive: true });
const codes = Object.entries(retryable()).map(([code, isRetryable]) => ({ code, retryable: isRetryable }));
write('openapi.json', { ...clientDocument(), 'x-codes': codes });
write('webhook.json', webhookExample());
