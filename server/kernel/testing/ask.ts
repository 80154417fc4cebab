import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Sends from another of this machine's own addresses, such as 127.0.0.2. */
  readonly localAddress?: string;
}

/** One request with exactly these headers: unlike fetch, it lets a test set Host, Via and similar ones. */
export const ask = (port: number, path: string, question: Question = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, ...from } = question;
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false, ...from });
    outgoing.on('response', async (incoming) => {
      const received = (await buffer(incoming)).toString();
      const isJson = /^application\/(?:problem\+)?json/.test(incoming.headers['content-type'] ?? '');
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text: received,
        json: isJson && received ? (JSON.parse(received) as Record<string, unknown>) : {},
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** Sends raw bytes, and returns everything that comes back until the server closes. */
export const askRaw = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
};
