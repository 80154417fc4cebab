import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Secret } from '#runtime/secret.ts';

export interface MailServer extends AsyncDisposable {
  readonly url: Secret;
  readonly port: number;
  /** Every accepted mail, in its wire format. */
  /** Simulates a lost network, or a killed server. */
  readonly dropConnections: () => void;
  readonly mails: { readonly to: string; readonly raw: string }[];
}

/** Refuses as the protocol requires: a reply code and words. */
export const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode });

export interface MailServerOptions extends SMTPServerOptions {
  /** After the mail has been accepted, before the answer. */
  readonly beforeAnswer?: (count: number) => Promise<void> | void;
  readonly protocol?: 'smtp' | 'smtps';
  readonly host?: string;
}

/** A real mail server on a free port of this machine; by default without TLS and without a password. */
export const startMailServer = async (options: MailServerOptions = {}): Promise<MailServer> => {
  const { beforeAnswer, protocol = 'smtp', host = '127.0.0.1', ...rest } = options;
  const mails: { to: string; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onData(stream, session, done) {
      void (async () => {
        const raw = await text(stream);
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), raw });
        await beforeAnswer?.(mails.length);
        done();
      })().catch(done);
    },
    ...rest,
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Clients that break off, or do not trust the server, are the subject of some tests.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: new Secret(`${protocol}://${host}:${port}`),
    port,
    mails,
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
