/** Screens with much code that few people open. They are one script: each script of its own would make those of all other pages longer. */

export { default as Operator } from '../areas/operator';
export { default as Playground } from '../areas/playground';
