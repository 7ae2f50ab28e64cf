/** Screens of people who are not signed in. */

export { default as Confirm } from '../areas/people/confirm';
export { default as Join } from '../areas/people/join';
export { default as NewPassword } from '../areas/people/new-password';
export { default as Reset } from '../areas/people/reset';
export { default as SignIn } from '../areas/people/sign-in';
export { default as SignUp } from '../areas/people/sign-up';
