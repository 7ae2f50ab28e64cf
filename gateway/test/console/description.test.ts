import description from '@presenza/contract/console/openapi.json';
import { operationIdOf } from '../../src/console/call';
import { consoleOpenapi, outputOf } from '../../src/console/openapi';
import { permissionsOf } from '../../src/console/permissions';
import { playgroundRoles, playgroundRoutes } from '../../src/console/playground';
import { consoleCalls } from '../../src/console/router';
import { roles } from '../../src/services/rights/roles';
import { addressesOf } from './browser';

test('the committed description is up to date with the calls: if it fails, run `npm run console-api`', () => {
  expect(JSON.parse(JSON.stringify(consoleOpenapi(consoleCalls)))).toEqual(description);
});

test('every call declares its output', () => {
  expect(consoleCalls.filter((call) => !outputOf(call)).map(({ id }) => id)).toEqual([]);
});

test('a path with parameters matches its addresses and no others', () => {
  const addresses = addressesOf('/accounts/:account/members/:userId');
  expect('/accounts/acc_1/members/usr-2').toMatch(addresses);
  expect('/accounts/acc_1/members').not.toMatch(addresses);
  expect('/accounts/acc_1/members/usr-2/keys').not.toMatch(addresses);
});

test('the address of a call matches the path of no other call', () => {
  for (const { http } of consoleCalls) {
    const [method, path] = http;
    const matching = consoleCalls.filter(
      (call) => call.http[0] === method && addressesOf(call.http[1]).test(path.replaceAll(':', '')),
    );
    expect(matching.map((call) => call.http)).toEqual([http]);
  }
});

test.each(roles)('the permissions of the role %s are the calls that admit it', (role) => {
  const admitted = consoleCalls.filter(({ access }) => access.includes(role)).map(operationIdOf);
  const inPlayground = Object.keys(playgroundRoutes).map((name) =>
    operationIdOf({ id: `playground ${name}` }),
  );
  const expected = [...admitted, ...(playgroundRoles.includes(role) ? inPlayground : [])];
  expect([...permissionsOf(role)].sort()).toEqual(expected.sort());
});
