// Compares `Cancellation` with AbortController: create one, add a listener, remove it. Build the gateway first, then:
//   node gateway/src/async/cancellation.bench.mjs

import { Cancellation } from '../../dist/async/cancellation.js';

const rounds = 200_000;
const listener = () => {};
const use = (signal) => {
  signal.addEventListener('abort', listener);
  signal.removeEventListener('abort', listener);
};
const contenders = {
  Cancellation: () => use(new Cancellation()),
  AbortController: () => use(new AbortController().signal),
};
for (const [name, run] of Object.entries(contenders)) {
  for (let i = 0; i < rounds / 10; i++) run();
  const start = performance.now();
  for (let i = 0; i < rounds; i++) run();
  console.log(`${name}: ${(((performance.now() - start) * 1e3) / rounds).toFixed(3)} µs for each request`);
}
