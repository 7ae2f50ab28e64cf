/** The reproducible random numbers of the gateway's liveness tests. */
require('../lib/typescript.cjs');

exports.randomFrom = require('../../gateway/test/liveness/people/random.ts').randomFrom;
