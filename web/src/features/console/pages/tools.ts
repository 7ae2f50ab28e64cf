/** Screens with much code that few people open. */

export { default as Operator } from '../areas/operator';
export { default as Playground } from '../areas/playground';
