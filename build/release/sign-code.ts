/**
 * Signs programs for Windows (Authenticode): with signtool on Windows, with osslsigncode elsewhere. Run as a program, it signs
 * one file, for NSIS, which has the uninstaller signed while it builds the installer.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { product } from '#contracts/kernel/product.ts';
import { isAbsent } from '#runtime/absent-file.ts';

const run = promisify(execFile);

export interface CodeSigner {
  /** Signs a file in place. An existing signature is replaced with ours. @throws when it cannot be signed */
  sign(file: string): Promise<void>;
}

interface SigningKey {
  /** A PKCS #12 file: the key with its certificates. */
  readonly file: string;
  readonly password: string;
  /** RFC 3161; null: the signature ends with its certificate. */
  readonly timestampUrl: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The key that the environment names; null when it names none. The password never becomes an argument, which every account
 * on the machine could read.
 * @throws when only some of its variables are set
 */
const readSigningKey = async (variables: Variables): Promise<SigningKey | null> => {
  const {
    CASTELLAN_SIGN_PFX: file,
    CASTELLAN_SIGN_PASSWORD: given,
    CASTELLAN_SIGN_PASSWORD_FILE: passwordFile,
    CASTELLAN_SIGN_TIMESTAMP_URL: timestampUrl,
  } = variables;
  if (!file) {
    if (given || passwordFile || timestampUrl)
      throw new Error(
        'CASTELLAN_SIGN_PFX names no file: set it to the key that signs, or unset the other CASTELLAN_SIGN variables.',
      );
    return null;
  }
  const password = passwordFile ? (await readFile(passwordFile, 'utf8')).replace(/\r?\n$/, '') : given;
  if (password === undefined)
    throw new Error('The key has no password: set CASTELLAN_SIGN_PASSWORD_FILE or CASTELLAN_SIGN_PASSWORD.');
  if (!timestampUrl)
    throw new Error(
      'CASTELLAN_SIGN_TIMESTAMP_URL is not set: name the time-stamp server of your certificate authority, or "none" for a ' +
        'signature that ends with its certificate.',
    );
  return { file, password, timestampUrl: timestampUrl === 'none' ? null : timestampUrl };
};

/** Signs with the key that the environment names; null when it names none. */
export const openCodeSigner = async (variables: Variables = process.env): Promise<CodeSigner | null> => {
  const key = await readSigningKey(variables);
  if (key === null) return null;
  const signWith = process.platform === 'win32' ? signWithSigntool : signWithOsslsigncode;
  return { sign: (file) => signWith(file, key) };
};

export const unsignedWarning =
  'The programs for Windows are not signed: CASTELLAN_SIGN_PFX names no key. Windows will warn of an unknown publisher.';

/** For NSIS, which passes it a file; the key comes from the environment. */
export const signCommand = `"${process.execPath}" "${import.meta.filename}"`;

const signWithOsslsigncode = async (file: string, key: SigningKey): Promise<void> => {
  const work = await mkdtemp(join(tmpdir(), 'castellan-sign-'));
  try {
    const password = join(work, 'password');
    await writeFile(password, key.password, { mode: 0o600 });
    const signed = `${file}.signed`;
    const what = ['-pkcs12', key.file, '-readpass', password, '-h', 'sha256', '-n', product.name];
    const when = key.timestampUrl === null ? [] : ['-ts', key.timestampUrl];
    await execute('osslsigncode', ['sign', ...what, ...when, '-in', file, '-out', signed]);
    await rename(signed, file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

const importKey = `$ErrorActionPreference = 'Stop'
$password = ConvertTo-SecureString $env:CASTELLAN_SIGN_PASSWORD -AsPlainText -Force
$thumbprint = (New-Object System.Security.Cryptography.X509Certificates.X509Certificate2($env:CASTELLAN_SIGN_PFX, $password)).Thumbprint
if (Test-Path "Cert:\\CurrentUser\\My\\$thumbprint") { "$thumbprint there" }
else {
  Import-PfxCertificate -FilePath $env:CASTELLAN_SIGN_PFX -CertStoreLocation Cert:\\CurrentUser\\My -Password $password | Out-Null
  "$thumbprint imported"
}`;
const removeKey =
  "Remove-Item -Path ('Cert:\\CurrentUser\\My\\' + $env:CASTELLAN_SIGN_THUMBPRINT) -DeleteKey";

/** signtool accepts a password only as an argument, so the key is in this account's store while it signs. */
const signWithSigntool = async (file: string, key: SigningKey): Promise<void> => {
  const powershell = (script: string, env: Variables) =>
    execute('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
      ...process.env,
      ...env,
    });
  const imported = await powershell(importKey, {
    CASTELLAN_SIGN_PFX: key.file,
    CASTELLAN_SIGN_PASSWORD: key.password,
  });
  const [thumbprint = '', state] = imported.trim().split(' ');
  try {
    const when = key.timestampUrl === null ? [] : ['/tr', key.timestampUrl, '/td', 'SHA256'];
    await execute('signtool.exe', [
      'sign',
      '/sha1',
      thumbprint,
      '/fd',
      'SHA256',
      '/d',
      product.name,
      ...when,
      file,
    ]);
  } finally {
    // A certificate that the account had before stays.
    if (state === 'imported') await powershell(removeKey, { CASTELLAN_SIGN_THUMBPRINT: thumbprint });
  }
};

const execute = async (
  program: string,
  args: readonly string[],
  env: Variables = process.env,
): Promise<string> => {
  try {
    return (await run(program, args, { env })).stdout;
  } catch (error) {
    if (isAbsent(error))
      throw new Error(
        `${program} is missing, which signs programs (Debian: osslsigncode; Windows: its SDK).`,
        {
          cause: error,
        },
      );
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program}: ${stderr}${stdout}`.trim(), { cause: error });
  }
};

if (import.meta.main) {
  const signer = await openCodeSigner();
  const [, , file] = process.argv;
  if (signer === null || file === undefined)
    throw new Error('It takes one file, and a key by CASTELLAN_SIGN_PFX.');
  await signer.sign(file);
}
