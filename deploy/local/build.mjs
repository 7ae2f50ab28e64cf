// `npm run build`: the whole set-up, without starting anything.

import { watchSignals } from './lib/interruption.mjs';
import { checkNode } from './lib/node-version.mjs';
import { duration } from './lib/progress.mjs';
import { readSettings } from './lib/settings.mjs';
import { runMain } from './lib/stop.mjs';
import { setup } from './setup.mjs';

runMain(async () => {
  checkNode();
  const { abort } = watchSignals();
  await setup({ settings: readSettings(process.env), abort });
  console.log(`ready  up to date after ${duration(process.uptime() * 1000)}`);
  return 0;
});
