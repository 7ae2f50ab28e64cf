/** The browser and the rendered people of the gateway's liveness tests. */
require('../lib/typescript.cjs');

const { present } = require('../../gateway/test/liveness/browser/present.ts');
const { Visitor } = require('../../gateway/test/liveness/browser/visitor.ts');
const { startWorld } = require('../../gateway/test/liveness/browser/world.ts');
const { loadPeople } = require('../../gateway/test/liveness/people/people.ts');
const { sitter } = require('../../gateway/test/liveness/people/subject.ts');

exports.present = present;
exports.Visitor = Visitor;
exports.startWorld = startWorld;
exports.loadPeople = loadPeople;
exports.sitter = sitter;
