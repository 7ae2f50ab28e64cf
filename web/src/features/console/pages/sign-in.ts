/** Screens of people who are not signed in. */

export { default as Confirm } from '../areas/sign-in/confirm';
export { default as Join } from '../areas/sign-in/join';
export { default as NewPassword } from '../areas/sign-in/new-password';
export { default as Reset } from '../areas/sign-in/reset';
export { default as SignIn } from '../areas/sign-in/sign-in';
export { default as SignUp } from '../areas/sign-in/sign-up';
