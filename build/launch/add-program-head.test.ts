import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { oldestNode } from '#runtime/oldest-node.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { addProgramHead } from './add-program-head.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Every line break of JavaScript, comments of both kinds, what ends them, and syntax that only a new Node reads. */
const program = `import { basename } from 'node:path';
//// a comment
/* another */
using _closing = { [Symbol.dispose]() { process.stdout.write('closed\\n'); } };
const text = \`one

  // two\u2028// three\u2029four */ \r
five\`;
await null;
process.stdout.write(JSON.stringify({
  text,
  arguments: process.argv.slice(2),
  file: basename(import.meta.filename),
  folder: import.meta.dirname,
  line: Number(/:(\\d+):\\d+$/m.exec(new Error().stack)[1]),
}) + '\\n');
`;

const fileWith = async (folder: string, content: string): Promise<string> => {
  const file = join(folder, 'program.mjs');
  await writeFile(file, content);
  return file;
};

// Guarantee: behind its head a program is the same to the letter, knows where it is, and its stack traces name lines of the file.
test('a program behind its head', async () => {
  await using folder = await temporaryFolder('program-head');
  const file = await fileWith(folder.path, program);
  const before = await run(process.execPath, [file, 'a b', '--c']);
  await addProgramHead(file, '/*\n// The license\n*/');
  expect(await readFile(file, 'utf8')).toMatch(/\n\/\*\n\/\/ The license\n\*\/$/);
  const after = await run(process.execPath, [file, 'a b', '--c']);
  const [plain, headed] = [before, after].map(({ stdout }) => JSON.parse(stdout.split('\n')[0] ?? ''));
  const lines = (await readFile(file, 'utf8')).split(/\n|\r\n?|\u2028|\u2029/);
  expect(lines[headed.line - 1]).toContain('new Error()');
  expect({ ...headed, line: 0 }).toEqual({ ...plain, line: 0 });
  expect(after.stdout).toContain('closed\n');
  expect(after.stderr).toBe('');
});

// Guarantee: a program that fails ends with its stack and exit code 1, also behind the head.
test('a program that throws', async () => {
  await using folder = await temporaryFolder('program-head');
  const file = await fileWith(folder.path, "await null;\nthrow new Error('no luck');\n");
  await addProgramHead(file);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/Error: no luck\n\s+at file:.*program\.mjs\?program:\d+:7/);
});

/** Whether a Node of 2020 reads the code. */
const isOldSyntax = (code: string): boolean => {
  const of = (target: string) => transformSync('code.mjs', code, { target }).code;
  // `import()` and `import.meta` are of ES2020, but that Node has them; `await` outside of functions is never rewritten.
  return of('es2019') === of('esnext') && !/^await |^[^(]*= await /m.test(of('esnext'));
};

// Guarantee: what an old Node reads before it refuses has no syntax or module that it lacks.
test('the syntax of the head and of the scripts of npm', async () => {
  await using folder = await temporaryFolder('program-head');
  const file = await fileWith(folder.path, '');
  await addProgramHead(file);
  const names = ['old-node.mjs', 'run-script.mjs', 'program-head.mjs'];
  const files = [file, ...names.map((name) => join(import.meta.dirname, name))];
  for (const code of await Promise.all(files.map((path) => readFile(path, 'utf8')))) {
    expect(isOldSyntax(code)).toBe(true);
    expect(code.match(/(?<= from ['"])[^.'"][^'"]*/g)?.filter((name) => !oldModules.has(name))).toEqual([]);
  }
  for (const code of [
    'a?.b;',
    'a ??= 1;',
    'using a = b;',
    'class A { #b; }',
    'await a;',
    'const a = await b;',
  ])
    expect(isOldSyntax(code), code).toBe(false);
});

/** Without `node:`, which Node 12.17 does not know. */
const oldModules = new Set(['fs', 'module', 'path', 'url']);

// Guarantee: a Node that is too old is refused in one line that names what is needed, what runs and where a fitting one is.
test('a Node that is too old', async () => {
  await using folder = await temporaryFolder('program-head');
  const file = await fileWith(folder.path, program);
  await addProgramHead(file);
  const text = await readFile(file, 'utf8');
  expect(text).toContain(`"${oldestNode}"`);
  await writeFile(file, text.replace(`"${oldestNode}"`, '"99.1"'));
  const refusal = `program.mjs needs Node 99.1 or newer; this is Node ${process.versions.node}.`;
  const start = () => spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect(start()).toMatchObject({
    status: 78,
    stdout: '',
    stderr: `${refusal} Get it from https://nodejs.org/\n`,
  });
  const beside = join(folder.path, process.platform === 'win32' ? 'node.exe' : 'node');
  await writeFile(beside, '');
  expect(start().stderr).toBe(`${refusal} Run it with ${beside}\n`);
});

// Guarantee: every script of npm that runs TypeScript refuses an old Node first, and gets its arguments otherwise.
test('the scripts of npm', async () => {
  const typeScript = Object.entries(packageJson.scripts).filter(([, command]) => command.includes('.ts'));
  expect(typeScript.length).toBeGreaterThan(8);
  for (const [name, command] of typeScript)
    expect(command, name).toMatch(/^node (?:--\S+ )?build\/launch\/run-script\.mjs \S+\.ts/);
  const launcher = join(root, 'build/launch/run-script.mjs');
  const { stdout } = await run(process.execPath, [launcher, 'build/package.ts', 'portal', '--help'], {
    cwd: root,
  });
  expect(stdout).toContain('Usage: npm run package -- portal [options]');
});
