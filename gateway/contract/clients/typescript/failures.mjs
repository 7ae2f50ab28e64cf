// The failure scenarios with the installed package, as `../failures/run.mjs` describes.
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { createClient, PresenzaError } from 'presenza';

const print = (line) => console.log(JSON.stringify(line));

async function outcomeOf({ baseUrl, apiKey, idempotencyKey, image, retries, timeoutMs }) {
  try {
    const client = createClient({ baseUrl, apiKey, retries, ...(timeoutMs > 0 && { timeoutMs }) });
    await client.detect(
      { image: Buffer.from(image, 'base64') },
      { ...(idempotencyKey && { idempotencyKey }) },
    );
    return {};
  } catch (error) {
    const text = inspect(error, { depth: 9 });
    if (!(error instanceof PresenzaError)) return { code: 'OTHER', text };
    const { code, reason, status, requestId, retryAfterSeconds: retryAfter } = error;
    return { code, reason, status, requestId, retryAfter, text };
  }
}

print({ methods: Object.keys(createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'key' })) });
for (const scenario of JSON.parse(readFileSync(process.env.SCENARIOS, 'utf8'))) {
  print({ begin: scenario.name });
  print({ name: scenario.name, ...(await outcomeOf(scenario)) });
}
