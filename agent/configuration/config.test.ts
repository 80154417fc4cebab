import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readAgentConfig } from './config.ts';

const complete = {
  apiUrl: 'https://panel.example.org/castellan/',
  serverId: 'abc',
  secret: 'a-secret-long-enough',
  game: 'seven-days-to-die',
  console: { password: '' },
};
const read = async (text: string | Buffer) => {
  await using folder = await temporaryFolder('config');
  const path = join(folder.path, 'config.json');
  await writeFile(path, text);
  return { config: await readAgentConfig(path), folder: folder.path };
};
const faultOf = (text: string | Buffer) =>
  read(text).then(
    () => '',
    (error: Error) => error.message,
  );

// Guarantee: omitted settings have the documented default; paths are relative to the file's folder.
test('defaults', async () => {
  const { config, folder } = await read(
    `\uFEFF${JSON.stringify({ ...complete, logFile: 'logs/latest.log' })}`,
  );
  expect(config).toMatchObject({
    useWebSocket: true,
    console: { host: '127.0.0.1', port: 8081 },
    logFile: join(folder, 'logs/latest.log'),
    stateFolder: folder,
    history: { days: 7, megabytes: 200 },
  });
  expect(JSON.stringify(config)).not.toContain(complete.secret);
});

// Guarantee: the way outside is read as in `.env`, and a wrong proxy is named without its password.
test('the way outside', async () => {
  const way = {
    trustedCaFile: 'root.cer',
    proxy: 'http://CORP\\me:hidden-4@proxy:8080',
    noProxy: 'x.example',
  };
  const { config, folder } = await read(JSON.stringify({ ...complete, outside: way }));
  expect(config.outside).toMatchObject({ trustedCaFile: join(folder, 'root.cer'), noProxy: 'x.example' });
  expect(config.outside.proxy?.reveal()).toBe(way.proxy);
  expect(JSON.stringify(config)).not.toContain('hidden-4');
  const wrong = { ...complete, outside: { proxy: 'socks5://me:hidden-4@proxy' } };
  const message = await faultOf(JSON.stringify(wrong));
  expect(message).toContain('outside.proxy: must be the address of an HTTP proxy');
  expect(message).not.toContain('hidden-4');
});

// Guarantee: all faults are reported together, in words, and no value is shown.
test('faults', async () => {
  const message = await faultOf(
    JSON.stringify({
      apiUrl: 'ftp://user:hidden-1@host',
      useWebSockets: false,
      secret: 'hidden-2',
      game: 'hidden-3',
      console: { port: '80hidden' },
      history: { days: 0, megabytes: 'hidden' },
    }),
  );
  for (const line of [
    'apiUrl: must be an address that begins with http:// or https://',
    'serverId: is missing',
    'secret: must have at least 16 characters',
    'game: must be one of "ark-se"',
    'console.port: must be a port number',
    'console.password: is missing',
    'useWebSockets: is not known; check the spelling',
    'history.days: must be a whole number from 1 to 90',
    'history.megabytes: must be a whole number from 10 to 100000',
  ])
    expect(message).toContain(line);
  expect(message).not.toContain('hidden');
  expect(await faultOf('{"secret": "hidden" "x"')).toMatch(/the file: is not JSON(?!.*hidden)/s);
  expect(await faultOf('[]')).toContain('wrong value');
  expect(await faultOf(Buffer.from(JSON.stringify({ secret: 'é' }, null, 1), 'latin1'))).toContain(
    'line 2: is not saved as UTF-8',
  );
});

// Guarantee: the shipped template needs only the values that no one can know beforehand.
test('the template', async () => {
  const template = await readFile(resolve(import.meta.dirname, '../../resources/agent/config.json'), 'utf8');
  const message = await faultOf(template);
  expect(
    message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0]),
  ).toEqual(['serverId', 'secret']);
});

// Guarantee: a missing file is told apart from one that cannot be read.
test('no file', async () => {
  await using folder = await temporaryFolder('config');
  await expect(readAgentConfig(join(folder.path, 'config.json'))).rejects.toThrow(
    / does not exist\. Choose another/,
  );
  await expect(readAgentConfig(folder.path)).rejects.toThrow(/ cannot be read\. Choose another/);
});
