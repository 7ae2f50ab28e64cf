/** The bundler turns the style sheet into a text. */
declare module '*/liveness.css' {
  const text: string;
  export default text;
}
