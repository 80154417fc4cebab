import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Secret } from '#runtime/secret.ts';

export interface MailServer extends AsyncDisposable {
  readonly url: Secret;
  readonly port: number;
  /** Every mail that was taken, as it came over the wire. */
  /** As when the network goes, or the server is killed. */
  readonly dropConnections: () => void;
  readonly mails: { readonly to: string; readonly raw: string }[];
}

/** Refuses as the protocol says: a reply code and words. */
export const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode });

export interface MailServerOptions extends SMTPServerOptions {
  /** After the mail has been taken in, before the answer. */
  readonly beforeAnswer?: (count: number) => Promise<void> | void;
  readonly protocol?: 'smtp' | 'smtps';
  readonly host?: string;
}

/** A real mail server on a free port of this machine; in plain and without a password unless told otherwise. */
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
  // A client that breaks off, or does not trust us, is what some tests are about.
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
