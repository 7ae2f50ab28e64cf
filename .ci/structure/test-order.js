// The order of tests: those that need the built site run last, because `npm test` still builds it when the first tests
// start. Apart from that, Jest's order applies: the longest tests first.
const { default: Sequencer } = require('@jest/test-sequencer');

/** `npm start` waits for a build that another process runs. */
const STARTS = /[\\/]deploy[\\/]local[\\/]start\.slow\.test\.ts$/;

const needsSite = ({ context, path }) => context.config.displayName?.name === 'web' || STARTS.test(path);

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter((test) => !needsSite(test)), ...sorted.filter(needsSite)];
  }
};
