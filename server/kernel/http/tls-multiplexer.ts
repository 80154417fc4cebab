import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { passShare } from '#runtime/http/connection-limits.ts';
import { isOwnMachine } from '#runtime/http/this-machine.ts';
import type { Log } from '#runtime/log.ts';
import { type Certificate, type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts';

/** The first byte of a TLS handshake record. */
const handshakeRecord = 0x16;
/** Applies from connecting to the first byte, and again until the handshake is complete. */
const patienceMs = 10_000;

/**
 * Makes a listening server speak TLS on its port. Only this machine gets plain HTTP: the bot, the supervisor and the
 * documented readings reach the API there by names that no certificate carries.
 * @throws {StartupError} when the certificate cannot be used
 */
export const openTlsMultiplexer = async ({
  server,
  files,
  refusePlain,
  log,
  rereadMs = 10_000,
}: {
  /** Its connections are intercepted before it speaks HTTP on them. */
  readonly server: Server;
  readonly files: CertificateFiles;
  /** The raw answer to a client that speaks plain HTTP from another machine. */
  readonly refusePlain: () => string;
  readonly log: Log;
  /** How often the files are checked. */
  readonly rereadMs?: number;
}): Promise<Disposable> => {
  const certificate = await readCertificate(files);
  // HTTP's own listener was the first; listeners added before it, such as a limit, still see every connection.
  const serveHttp = server.listeners('connection').at(-1) as (this: Server, socket: Socket) => void;
  server.off('connection', serveHttp);
  const serve = (socket: Socket) => serveHttp.call(server, socket);

  /** Connections that the HTTP server does not know yet, by peer. */
  const waiting = new Map<string, Socket>();
  let closed = false;

  const tls = createServer(
    { ...secureOptions(certificate), ALPNProtocols: ['http/1.1'], handshakeTimeout: patienceMs },
    (socket: TLSSocket) => {
      const raw = waiting.get(peerOf(socket));
      if (raw) passShare(raw, socket);
      waiting.delete(peerOf(socket));
      socket.allowHalfOpen = true;
      serve(socket);
    },
  );
  tls.on('tlsClientError', (error, socket) => {
    log.debug({ err: error }, 'TLS handshake failed');
    socket.destroy();
  });

  const admit = (socket: Socket, first: number) => {
    if (first === handshakeRecord) {
      // A client that leaves during the handshake would otherwise be waited for.
      socket.allowHalfOpen = false;
      tls.emit('connection', socket);
      return;
    }
    waiting.delete(peerOf(socket));
    if (isOwnMachine(socket)) serve(socket);
    else socket.on('error', () => socket.destroy()).end(refusePlain(), () => socket.destroy());
  };

  server.on('connection', (socket: Socket) => {
    if (closed || socket.destroyed) {
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    waiting.set(peer, socket);
    const leave = () => socket.destroy();
    const look = () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) return;
      socket.off('readable', look).off('end', leave).off('error', leave).off('timeout', leave);
      socket.setTimeout(0);
      socket.unshift(first);
      admit(socket, first[0] ?? 0);
    };
    socket.setTimeout(patienceMs);
    socket.on('readable', look).on('end', leave).on('error', leave).on('timeout', leave);
    socket.once('close', () => waiting.get(peer) === socket && waiting.delete(peer));
  });

  const watch = watchCertificate({
    files,
    current: certificate,
    use: (renewed) => tls.setSecureContext(secureOptions(renewed)),
    log,
    intervalMs: rereadMs,
  });
  return {
    [Symbol.dispose]() {
      closed = true;
      watch[Symbol.dispose]();
      for (const socket of waiting.values()) socket.destroy();
    },
  };
};

const secureOptions = ({ cert, key }: Certificate) => ({ cert, key, minVersion: 'TLSv1.2' }) as const;

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
