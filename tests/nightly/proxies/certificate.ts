import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** In PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const run = promisify(execFile);

/** For `localhost` and the panel's name, as `panel.crt` and `panel.key` in the folder: Go reads no certificate made by hand. */
export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const [key, cert] = [join(folder, 'panel.key'), join(folder, 'panel.crt')];
  const names = 'subjectAltName=DNS:localhost,DNS:panel.example.com,IP:127.0.0.1';
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', key, '-out', cert];
  await run('openssl', ['req', '-x509', ...made, '-subj', '/CN=localhost', '-addext', names, ...files]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
};
