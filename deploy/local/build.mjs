// `npm run build`: runs the whole set-up and starts nothing.

import { refuseArguments } from '../../gateway/harness/cli/arguments.mjs';
import { watchSignals } from '../../gateway/harness/cli/interruption.mjs';
import { checkNode } from '../../gateway/harness/cli/node-version.mjs';
import { duration } from '../../gateway/harness/cli/progress.mjs';
import { readSettings } from '../../gateway/harness/cli/settings.mjs';
import { runMain } from '../../gateway/harness/cli/stop.mjs';
import { setup } from '../../gateway/harness/setup/setup.mjs';

runMain(async () => {
  checkNode();
  refuseArguments('npm run build');
  const { abort } = watchSignals();
  await setup({ settings: readSettings(process.env), abort });
  console.log(`ready  up to date after ${duration(process.uptime() * 1000)}`);
  return 0;
});
