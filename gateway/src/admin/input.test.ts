import { consoleCalls } from '../console/router';
import { ApiError } from '../errors';
import { checkerOf } from './input';
import { registry } from './registry';

test.each([...registry, ...consoleCalls].map((operation) => [operation.id, operation.input] as const))(
  'the input schema of %s compiles',
  (_words, schema) => {
    try {
      checkerOf(schema)({});
    } catch (error) {
      // The empty input lacks required properties. ajv throws other errors for a faulty schema.
      expect(error).toBeInstanceOf(ApiError);
    }
  },
);
