import { listen } from '../../../gateway/harness/ports.mjs';
import { requireFreePorts } from './free-ports.mjs';

test('a port in use is named with its variable, and accepted once it is free', async () => {
  const { port, close } = await listen();
  await expect(requireFreePorts([['gateway', port]])).rejects.toThrow(
    `Port ${port} (GATEWAY_PORT) is already in use; stop what listens there or set GATEWAY_PORT to another.`,
  );
  await close();
  await requireFreePorts([['gateway', port]]);
});
