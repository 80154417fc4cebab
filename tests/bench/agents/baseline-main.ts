import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';
import { serveProcessStats } from '../harness/process-stats.ts';

/** The least that a WebSocket server can do with a heartbeat: parse it as JSON and answer. It verifies and stores nothing. */
const answer = (socket: WebSocket, data: RawData) => {
  const frame = JSON.parse(String(data)) as AgentFrame;
  if (frame.type === 'hello') socket.send('{"v":1,"type":"welcome"}');
  else if (frame.type === 'heartbeat')
    socket.send(JSON.stringify({ v: 1, type: 'ack', heartbeat: frame.number, events: null }));
};

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
sockets.on('connection', (socket) => {
  socket.on('message', (data) => answer(socket, data));
  socket.send('{"v":1,"type":"challenge","nonce":"none"}');
});
serveProcessStats();
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`),
);
