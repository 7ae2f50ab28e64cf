// `npm run build`: runs the whole set-up and starts nothing.

import { watchSignals } from './cli/interruption.mjs';
import { checkNode } from './cli/node-version.mjs';
import { duration } from './cli/progress.mjs';
import { readSettings } from './cli/settings.mjs';
import { runMain } from './cli/stop.mjs';
import { setup } from './setup/setup.mjs';

runMain(async () => {
  checkNode();
  const { abort } = watchSignals();
  await setup({ settings: readSettings(process.env), abort });
  console.log(`ready  up to date after ${duration(process.uptime() * 1000)}`);
  return 0;
});
