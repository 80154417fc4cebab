import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import { builtProgram, commandLine } from '#harness/built-program.ts';

const root = resolve(import.meta.dirname, '../..');

/** A process that behaves like one of ours: answers pings, stops when told, ends with its supervisor. */
export const wellBehaved = `
process.on('message', (message) => {
  if (message.type === 'stop') process.exit(0);
  else process.send({ type: 'pong', id: message.id });
});
process.on('disconnect', () => process.exit(0));
`;

/** Answers each request with \`answer\`, an expression of \`{ status, type, body }\` that may use \`asked\`. */
export const standInApi = (answer: string): string => `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
const port = Number(parseEnv(readFileSync(process.env.CASTELLAN_HOME + '/.env', 'utf8')).API_PORT);
let asked = 0;
createServer((request, response) => {
  asked += 1;
  const { status, type, body } = ${answer};
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}).listen(port, '127.0.0.1');
${wellBehaved}`;

export const licenseProblem = `({
  status: 403,
  type: 'application/problem+json',
  body: { type: 'about:blank', title: 'No license', status: 403, detail: 'asked ' + asked,
    code: 'LICENSE_REQUIRED', license: { state: 'unlicensed' } },
})`;

export const healthy = `({
  status: 200,
  type: 'application/json',
  body: ${JSON.stringify(healthReport())},
})`;

/** A folder of programs: the real command and guardian, and for the others what a test gives. */
export const writePrograms = async (
  folder: string,
  { api = standInApi(healthy), bot = wellBehaved }: { api?: string; bot?: string } = {},
): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const source = (path: string) => JSON.stringify(join(root, path));
  const programs = {
    'castellan.mjs': `
import { runCommandLine } from ${JSON.stringify(builtProgram('command-line', join(root, commandLine)))};
process.exitCode = await runCommandLine({
  args: process.argv.slice(2), variables: process.env, programsFolder: import.meta.dirname,
});`,
    'guardian.mjs': `import ${source('runtime/guardian/main.ts')};`,
    'license-server.json': JSON.stringify({
      url: 'http://127.0.0.1:9',
      publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }),
    'api.mjs': api,
    'bot.mjs': bot,
  };
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text);
  return folder;
};
