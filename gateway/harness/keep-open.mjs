/**
 * Options of a server for the tests. By default, Node closes a connection that has been idle for five seconds: on a
 * machine under load, that may be the moment in which the client sends its next request, which is then lost.
 */
export const keepOpen = { keepAliveTimeout: 0 };
