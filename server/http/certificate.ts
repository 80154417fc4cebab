import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';

/** TLS_CERT_FILE and TLS_KEY_FILE, in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** @throws {StartupError} when a file cannot be read, or the two do not match; the message contains nothing of the key */
export const readCertificate = async ({ certFile, keyFile }: CertificateFiles): Promise<Certificate> => {
  const cert = await readPem('TLS_CERT_FILE', certFile);
  const key = await readPem('TLS_KEY_FILE', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `TLS_CERT_FILE and TLS_KEY_FILE are no pair of a PEM certificate and its unencrypted key${code ? ` (${code})` : ''}.`,
    );
  }
  return { cert, key };
};

const readPem = async (variable: string, path: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartupError(`${variable}: ${error.message}`);
  });
  // A file is empty for a moment while it is rewritten. Node would treat it as no certificate, and all handshakes would fail.
  if (text === '') throw new StartupError(`${variable}: ${path} is empty.`);
  return text;
};

/** Switches to a renewed certificate; a half-written or broken one leaves the current one in use. */
export const watchCertificate = ({
  files,
  current,
  use,
  log,
  intervalMs,
}: {
  readonly files: CertificateFiles;
  readonly current: Certificate;
  readonly use: (certificate: Certificate) => void;
  readonly log: Log;
  readonly intervalMs: number;
}): Disposable => {
  let used = current;
  let complaint = '';
  const look = async () => {
    try {
      const found = await readCertificate(files);
      complaint = '';
      if (found.cert === used.cert && found.key === used.key) return;
      use(found);
      used = found;
      log.info({ certFile: files.certFile }, 'now using the renewed TLS certificate');
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint) log.warn(`${message} Still using the previous TLS certificate.`);
      complaint = message;
    }
  };
  const timer = setInterval(() => void look(), intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
