/** The least a server can do, to see how fast the load itself is: answers every chunk with the same bytes. */
import { createServer } from 'node:net';

const body = JSON.stringify({ success: true });
const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const server = createServer((socket) => {
  socket.on('data', () => socket.write(answer)).on('error', () => {});
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` }));
});
