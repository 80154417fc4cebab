import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';

/** Makes a key that signs releases. An existing file is never replaced: losing its key would lose all installations. */
const makeReleaseKey = async (path: string): Promise<{ readonly publicKey: string }> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: x };
};

export const releaseKeyCommand = new Command('release-key')
  .description(
    'make a key that signs releases. The file is the secret: keep it off line, with a copy. The public key that is ' +
      'printed goes into resources/update-source.json, beside the address of the update server:\n' +
      '  {"url": "https://updates.example/castellan/", "publicKeys": ["…"]}\n' +
      'To follow one key by another, name both there for one release, then sign with both.',
  )
  .argument('<file>', 'where the private key is written; must not be there yet')
  .action(async (file: string) => {
    const { publicKey } = await makeReleaseKey(resolve(file));
    process.stdout.write(`${publicKey}\n`);
  });
